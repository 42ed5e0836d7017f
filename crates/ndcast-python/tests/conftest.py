"""Every test runs with few threads' worth of examples; `--hypothesis-profile=long` runs many."""

from hypothesis import settings

settings.register_profile("quick", max_examples=40, deadline=None)
settings.register_profile("long", max_examples=2000, deadline=None)
settings.load_profile("quick")
