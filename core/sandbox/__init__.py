"""Where untrusted work runs: killable children that can be bounded, and the SQL they answer."""
