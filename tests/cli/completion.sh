#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Pins what bash offers after some beginnings of command lines.
. "$(dirname "$0")/lib.sh"
. "$top/tools/completion/pgasim.bash"
compopt() { :; } # works only within a real completion

# offers LINE EXPECTED...: completes the last word of LINE ('_' stands for an empty one); all EXPECTED are
# offered.
offers() {
    local line=$1 word
    shift
    read -ra COMP_WORDS <<<"${line//=/ = }"
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    [ "${COMP_WORDS[COMP_CWORD]}" = _ ] && COMP_WORDS[COMP_CWORD]=
    _pgasim
    for word in "$@"; do
        printf '%s\n' "${COMPREPLY[@]}" | grep -qxF -e "$word" || fail "$line: no $word in: ${COMPREPLY[*]}"
    done
    [ $# -gt 0 ] || [ ${#COMPREPLY[@]} -eq 0 ] || fail "$line: offers ${COMPREPLY[*]}"
}
touch program data.xml
mkdir folder

offers 'pgasim _' run cc c++ env info platform help version
offers 'pgasim ru' run
offers 'pgasim info _' settings collectives places mpi
offers 'pgasim info pro' program
offers 'pgasim platform _' default check show draw generate
offers 'pgasim platform show --' --all --json
offers 'pgasim platform draw da' data.xml
offers 'pgasim platform generate _' cluster torus fat-tree dragonfly two-level
offers 'pgasim platform generate two-level --o' --oversubscription
offers 'pgasim run --pl' --platform
offers 'pgasim run -' -np -n --platform --hostfile --machinefile --set --quiet -q --tag-output --jobs -j \
    --json
offers 'pgasim run --trace-kinds _' calls operations waits collectives compute marks messages io cards cores sync memory \
    replay \
    default all
offers 'pgasim run --privatize _' auto dlopen swap none
offers 'pgasim run --privatize=s' swap
offers 'pgasim run -np 4 --map-by h' host
offers 'pgasim run -np 4 --platform da' data.xml
offers 'pgasim run --wdir f' folder
offers 'pgasim run --quiet pro' program
offers 'pgasim run -np 4 program da' data.xml
offers 'pgasim run -np 4 program --pl'
offers 'pgasim replay --' --jobs --job-trace --alone --compute-scale
offers 'pgasim replay --jobs da' data.xml
offers 'pgasim flows -' --platform --model --cfg --set
offers 'pgasim flows --model C' CM02 Constant
offers 'pgasim flows --model _' LV08 CM02 SMPI IB Constant raw
offers 'pgasim flows --platform data.xml pro' program
offers 'pgasim report --' --output --focus
offers 'pgasim check --s' --seeds --seed --stop --same-output --shrink
offers 'pgasim explore --s' --servers --serve --search --seed --svg
offers 'pgasim explore --platform da' data.xml
offers 'pgasim explore --table da' data.xml
offers 'pgasim report -o da' data.xml
offers 'pgasim report da' data.xml
offers 'oshrun --comp' --compute
offers 'oshrun --compute o' off
offers 'mpirun -pp' -ppn
offers 'mpiexec -ppn 2 --map-by n'
offers 'mpirun -rankfile da' data.xml
offers 'pgasim run --set rdma/' "$(pgasim info settings | awk '/^  rdma\// { print $1 "="; exit }')"
finish
