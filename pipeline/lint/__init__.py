"""The checks: one file each, its docstring the documentation. A new check is a file and a line here."""

from pipeline.lint import (
    asymmetric_relation, asymmetric_supersession, broken_link, broken_target, contradiction, dangling_supersession,
    duplicate_title, orphan, predicate_drift, stale, superseded_without_status, supersession_cycle,
    undocumented_predicate, unknown_source, unmanaged_index, unreviewed_reference,
)

CHECKS = (
    asymmetric_relation, asymmetric_supersession, broken_link, broken_target, contradiction, dangling_supersession,
    duplicate_title, orphan, predicate_drift, stale, superseded_without_status, supersession_cycle,
    undocumented_predicate, unknown_source, unmanaged_index, unreviewed_reference,
)
