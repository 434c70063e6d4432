"""The contract of wiki.db: its tables, what every column holds, and the version readers compare.

`pragma application_id` is the CRC-32 of all other bytes of the file, which tells whether it is as it was published.
"""

SCHEMA_VERSION = 2
"""Raised whenever a reader of the older schema would misread the file.

1  first version
2  no index over the pieces: a reader looks into those of the few bodies it considers
"""

SCHEMA = """\
-- One row per concept file. Lists and mappings are JSON text; absent values are null.
create table concepts (
  _path         text primary key not null,  -- concept path: /entities/openai.md, NFC, forward slashes
  type          text not null,              -- OKF type, open vocabulary
  title         text not null,              -- as written, or derived from the file name
  description   text,                       -- one sentence
  tags          text not null,              -- JSON list of strings
  aliases       text not null,              -- JSON list of strings: other names the concept goes by
  sources       text not null,              -- JSON list of {id, resource, title, ...}
  relations     text not null,              -- JSON list of {predicate, object, date?, source?}, as written
  generated     text,                       -- JSON {by, at}
  verified      text not null,              -- JSON list of {by, at}
  trust_tier    text not null,              -- unverified | machine-confirmed | human-reviewed
  status        text not null,              -- draft | stable | deprecated | superseded
  stale_after   text,                       -- ISO 8601 instant or date; stale when now >= this
  superseded_by text,                       -- concept path of the successor
  superseded_at text,                       -- ISO 8601 date of the replacement
  supersedes    text not null,              -- JSON list of concept paths
  extra         text not null,              -- JSON mapping of all other frontmatter keys
  body          text not null,              -- markdown after the frontmatter
  content_hash  text not null,              -- SHA-256 of the file's bytes, hexadecimal
  parse_error   text                        -- why the file of today could not be read; the row is the last good one
);

-- Relations as understood: subject -> object, one row per frontmatter entry.
create table edges (
  subject_path   text not null,             -- concept path of the file that asserts it
  predicate      text not null,             -- open vocabulary
  object_path    text,                      -- concept path, existing or not yet written; null for a literal
  object_literal text,                      -- the value, when the object is not a concept
  date           text,                      -- ISO 8601 year, year-month or date: since when the fact holds
  source_id      text,                      -- joins the subject's sources[].id
  line           integer not null           -- line of the entry in the subject's file, from 1
);
-- From either end by kind and other end, so that little is read of a hub.
create index edges_by_subject on edges(subject_path, predicate, object_path);
create index edges_by_object on edges(object_path, predicate, subject_path) where object_path is not null;

-- Links in prose, resolved.
create table links (
  subject_path text not null,               -- concept path of the page the link stands in
  object_path  text,                        -- concept path meant, existing or not; null for an unresolvable wikilink
  text         text not null,               -- link text as shown
  target       text not null,               -- target as written
  sentence     text not null,               -- the sentence the link stands in, at most 300 characters
  line         integer not null             -- line in the file, from 1
);
create index links_by_subject on links(subject_path);
create index links_by_object on links(object_path) where object_path is not null;
create index wikilinks on links(subject_path, line, target) where target glob '[[][[]*';

-- Names a concept goes by, folded (see retrieval.names.fold), for exact matching.
create table names (
  name text not null,                       -- folded title or alias, words joined by one space
  path text not null,                       -- concept path
  kind text not null,                       -- title | alias
  primary key (name, path)
) without rowid;

-- BM25 over the concepts. Text in scripts without spaces is indexed as overlapping pairs of characters.
create virtual table concepts_fts using fts5(
  title, description, tags, body,
  content='concepts', tokenize='porter unicode61 remove_diacritics 2'
);

-- Passages of a body: what is embedded, and what background is cut from.
create table pieces (
  id      integer primary key,              -- joins embeddings; says nothing else
  path    text not null,                    -- concept path
  number  integer not null,                 -- position in the body, from 0
  heading text not null,                    -- the headings above, joined by " > "; may be empty
  start   integer not null,                 -- first character in the body
  stop    integer not null,                 -- one past the last character
  unique (path, number)
);

-- Bytes of an index that gather in memory before they are written: more, and less is merged afterwards.
-- Measured on 10,000 concepts: 1 MiB costs half as much CPU again as 8, 2 MiB a quarter more, 16 and 32 MiB no less.
insert into concepts_fts(concepts_fts, rank) values ('hashsize', 8388608);

-- The concept files the build saw, so that a reader can tell whether it is current.
create table files (
  path         text primary key not null,   -- concept path, or path of a file that could not be read
  size         integer not null,            -- bytes
  mtime_ns     integer not null,            -- modification time
  content_hash text not null                -- SHA-256, hexadecimal; empty when unreadable
) without rowid;

-- schema_version, pipeline_version, generation, built_at, concepts, edges, links, pieces, embedder, model,
-- dimension, fingerprint, degraded (why vectors are missing, or empty), settings and embedding (JSON, as compiled).
create table meta (
  key   text primary key not null,
  value text not null
) without rowid;
"""

EMBEDDINGS = """\
-- One vector per piece, L2-normalized; the concept's score is its best piece's. Absent when the embedder is none.
create virtual table embeddings using vec0(
  piece_id integer primary key,             -- pieces.id
  vector   float[{dimension}],
  +path    text,                            -- concept path
  +piece   integer                          -- pieces.number
);
"""
