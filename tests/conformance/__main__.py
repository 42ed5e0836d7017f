"""Runs the checks against one namespace or several: `python tests/conformance --module numpy --module ndcast`.

Prints a table, and the reasons. `--markdown` prints the table of the documentation. The status is 1 if a check that the
standard says must hold fails.
"""

import argparse
import importlib
import sys

from checks import CHECKS


def outcome(check, namespace):
    """Nothing if it holds, else why not."""
    try:
        check.function(namespace)
    except NotImplementedError as error:
        return f"not implemented: {error}"
    except Exception as error:  # noqa: BLE001
        text = " ".join(str(error).split())
        return f"{type(error).__name__}: {text[:120]}" if not isinstance(error, AssertionError) else text[:120] or "no"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--module", action="append", required=True, help="a namespace, as it is imported")
    parser.add_argument("--markdown", action="store_true", help="print a table for the documentation")
    arguments = parser.parse_args()
    results = {}
    for name in arguments.module:
        try:
            namespace = importlib.import_module(name)
        except ImportError as error:
            print(f"{name}: absent ({error})", file=sys.stderr)
            continue
        results[name] = {check.name: outcome(check, namespace) for check in CHECKS}
    if arguments.markdown:
        print("| group | what | clause |", " | ".join(results), "|")
        print("|---|---|---|" + "---|" * len(results))
    failed = 0
    for check in CHECKS:
        found = [results[name][check.name] for name in results]
        if arguments.markdown:
            print(f"| {check.group} | {check.text} | {check.level} |", " | ".join("yes" if why is None else "no" for why in found), "|")
        else:
            print(f"{check.group:16} {check.name:44} {check.level:7}", *("yes" if why is None else "NO" for why in found))
        failed += check.level == "must" and any(why is not None for why in found)
    for name, result in results.items():
        held = sum(why is None for why in result.values())
        print(f"\n{name}: {held} of {len(result)}" + ("" if arguments.markdown else ":"))
        if not arguments.markdown:
            for check, why in result.items():
                if why is not None:
                    print(f"  {check}: {why}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
