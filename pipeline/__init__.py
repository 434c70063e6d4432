"""Compiles a bundle of markdown into wiki.db and its views: one stage, one file, one public function."""
