#!/bin/sh
# Starts the browser that SPECDEMO_TESTS_CHROMIUM names, without the windows that it keeps ready beside every page for the suggestions of
# its own address bar: nobody types there, and making them takes more of the processor than opening most pages. Chromium knows only the
# last list of features to switch off: this one goes to the end of Playwright's.
for argument; do
    shift
    case $argument in
    --disable-features=*) argument="$argument,WebUIOmniboxPopup,WebUIOmniboxAimPopup" ;;
    esac
    set -- "$@" "$argument"
done
exec "$SPECDEMO_TESTS_CHROMIUM" "$@"
