"""Asks labelled questions, scores the answers, and weighs the confidence threshold by them (seed §7.5)."""
