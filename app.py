"""The entry of the Space and of `make app`: builds the app and starts it, nothing else."""

from specdemo.pages.shell import launch

if __name__ == "__main__":
    launch()
