# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Completion of pgasim and oshrun for bash. What there is to complete is asked of pgasim itself, so that it is never
# out of date.

# The options that `pgasim COMMAND --help` shows, COMMAND of one or two words; with a second argument, only those that
# take a value.
_pgasim_options() {
    local asked
    read -ra asked <<<"$1"
    pgasim "${asked[@]}" --help 2>/dev/null | awk -v with_value="${2-}" '
        /^options:/ { on = 1; next }
        on && /^$/ { exit }
        on && /^  -/ {
            shown = substr($0, 3)
            sub(/  .*/, "", shown)
            n = split(shown, word, /, | /)
            for (k = 1; k <= n; k++)
                if (word[k] ~ /^-/ && (!with_value || word[n] !~ /^-/))
                    print word[k]
        }'
}

_pgasim_commands() {
    pgasim --help 2>/dev/null | awk '/^commands:/ { on = 1; next } on && /^$/ { exit } on { print $1 }'
}

_pgasim_value() { # command option word: false when it takes none
    local command=$1
    shift
    case $1 in
    -platform | --platform | -hostfile | --hostfile | -machinefile | --machinefile | -json | --json | -trace | --trace | \
        -o | --output)
        mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
    -wdir | --wdir | -wd | --wd) mapfile -t COMPREPLY < <(compgen -d -- "$2") ;;
    -map-by | --map-by) mapfile -t COMPREPLY < <(compgen -W "core host" -- "$2") ;;
    -compute | --compute) mapfile -t COMPREPLY < <(compgen -W "measured off" -- "$2") ;;
    -trace-kinds | --trace-kinds)
        mapfile -t COMPREPLY < <(compgen -W "calls operations waits collectives compute marks messages io sync memory
            replay default all" -- "$2") ;;
    -privatize | --privatize) mapfile -t COMPREPLY < <(compgen -W "auto dlopen swap none" -- "$2") ;;
    -model | --model) mapfile -t COMPREPLY < <(compgen -W "LV08 CM02 SMPI IB Constant raw" -- "$2") ;;
    -set | --set | -cfg | --cfg)
        mapfile -t COMPREPLY < <(compgen -S = -W "$(pgasim info settings 2>/dev/null |
            awk '/^  [a-z].* = / { print $1 }')" -- "$2")
        compopt -o nospace ;;
    *) _pgasim_options "$command" value | grep -qxe "-*${1##*-}" && [[ $1 == -* ]] ;;
    esac
}

# Completes the words of command $1 from COMP_WORDS[$2] on: options first, then files: the program and its files, or a
# list.
_pgasim_words() {
    local command=$1 k=$2 cur=${COMP_WORDS[COMP_CWORD]}
    while [ "$k" -lt "$COMP_CWORD" ]; do
        local word=${COMP_WORDS[k]}
        [[ $word == -* && $word != -- ]] || { mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return; }
        if [[ ${COMP_WORDS[k + 1]-} == = ]]; then
            k=$((k + 2))
        elif ! _pgasim_options "$command" value | grep -qxe "$word" -e "-$word"; then
            k=$((k + 1))
            continue
        else
            k=$((k + 1))
        fi
        [ "$k" -ne "$COMP_CWORD" ] || { _pgasim_value "$command" "$word" "${cur#=}"; return; }
        k=$((k + 1))
    done
    if [[ $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_pgasim_options "$command")" -- "$cur")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    fi
}

_pgasim() {
    local cur=${COMP_WORDS[COMP_CWORD]}
    COMPREPLY=()
    compopt -o filenames 2>/dev/null
    if [[ ${COMP_WORDS[0]##*/} == oshrun ]]; then
        _pgasim_words run 1
    elif [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_pgasim_commands)" -- "$cur")
    else
        case ${COMP_WORDS[1]} in
        run | flows | profile | diff | report) _pgasim_words "${COMP_WORDS[1]}" 2 ;;
        info) mapfile -t COMPREPLY < <(compgen -W "settings collectives places --json" -f -- "$cur") ;;
        platform)
            if [ "$COMP_CWORD" -eq 2 ]; then
                mapfile -t COMPREPLY < <(compgen -W "default check show draw generate" -- "$cur")
            elif [[ ${COMP_WORDS[2]} == generate && $cur == -* ]]; then
                mapfile -t COMPREPLY < <(compgen -W "$(_pgasim_options "platform generate")" -- "$cur")
            elif [[ ${COMP_WORDS[2]} == generate ]]; then
                mapfile -t COMPREPLY < <(compgen -W "cluster torus fat-tree dragonfly two-level" -- "$cur")
            else
                mapfile -t COMPREPLY < <(compgen -f -W "$(_pgasim_options platform)" -- "$cur")
            fi ;;
        help) mapfile -t COMPREPLY < <(compgen -W "$(_pgasim_commands)" -- "$cur") ;;
        env) mapfile -t COMPREPLY < <(compgen -c -f -- "$cur") ;;
        *) mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
        esac
    fi
}
complete -F _pgasim pgasim oshrun
