# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# For tests with Slurm: its daemons and munge on this machine, with all their files in the folder $work, which lib.sh has
# made. slurm_start NODES starts them, slurm_node_lose K takes node K away, slurm_stop ends all. Node K has two
# processors.
slurm_pids=() slurm_node=()

# Why there can be none; nothing if there can.
slurm_missing() {
    local c
    for c in munged slurmctld slurmd sbatch squeue scancel scontrol; do
        PATH=$PATH:/usr/sbin:/sbin type -P $c >/dev/null || { echo "no $c"; return; }
    done
    [ "$(id -u)" -eq 0 ] || echo "not root"
}

slurm_stop() {
    local p k
    for k in "${!slurm_node[@]}"; do slurm_node_kill "$k"; done
    for p in "${slurm_pids[@]}"; do kill -9 "$p" 2>/dev/null; done
    for p in "${slurm_pids[@]}"; do wait "$p" 2>/dev/null; done
    slurm_pids=()
}

# Waits for at most 30 s until a command succeeds.
slurm_until() {
    local k
    for ((k = 0; k < 150; k++)); do
        "$@" >/dev/null 2>&1 && return 0
        sleep 0.2
    done
    return 1
}

slurm_conf() {
    local nodes=$1 k host
    host=$(hostname -s)
    cat <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=$slurm_port
AuthType=auth/munge
AuthInfo=socket=$slurm_home/munge.socket
CryptoType=crypto/munge
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmdTimeout=10
SlurmctldTimeout=10
KillWait=2
StateSaveLocation=$slurm_home/state
SlurmdSpoolDir=$slurm_home/spool.%n
SlurmctldPidFile=$slurm_home/slurmctld.pid
SlurmdPidFile=$slurm_home/slurmd.%n.pid
SlurmctldLogFile=$slurm_home/slurmctld.log
SlurmdLogFile=$slurm_home/slurmd.%n.log
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,batch_sched_delay=0,bf_interval=2
CONF
    for ((k = 1; k <= nodes; k++)); do
        echo "NodeName=n$k NodeHostname=$host NodeAddr=127.0.0.1 Port=$((slurm_port + k)) CPUs=2 State=UNKNOWN"
    done
    echo "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP"
}

slurm_node_start() {
    slurmd -D -N "n$1" -f "$SLURM_CONF" >"$slurm_home/slurmd.n$1.out" 2>&1 &
    slurm_pids+=($!)
    slurm_node[$1]=$!
}

# All of a node at once, as when its power fails: its daemon, then the steps, before they can tell of their end, and what
# runs in them.
slurm_node_kill() {
    local p tasks=() steps=()
    for p in $(grep -lzsxF "SLURM_CONF=$SLURM_CONF" /proc/[0-9]*/environ | xargs -r grep -lzsxF "SLURMD_NODENAME=n$1"); do
        p=${p#/proc/}
        p=${p%/environ}
        tasks+=("$p")
        p=$(sed -n 's/^PPid:\t//p' "/proc/$p/status" 2>/dev/null)
        grep -qsx slurmstepd "/proc/$p/comm" && steps+=("$p")
    done
    kill -9 "${slurm_node[$1]}" "${steps[@]}" "${tasks[@]}" 2>/dev/null
}

# The node is gone, and Slurm knows: by itself it notices after half a minute, and waits for another two before it starts
# again what ran there. Fails if nothing did.
slurm_node_lose() {
    local job
    slurm_node_kill "$1"
    scontrol update NodeName="n$1" State=DOWN Reason=lost
    slurm_until slurm_requeued || return 1
    for job in $(slurm_requeued); do scontrol update JobId="$job" StartTime=now; done
}

slurm_requeued() {
    squeue -h -t PD -o '%i %r' | sed -n 's/ BeginTime$//p' | grep .
}

slurm_start() {
    local k
    export PATH=$PATH:/usr/sbin:/sbin
    slurm_home=${work:?}/slurm slurm_port=$((20000 + $$ % 2500 * 8))
    mkdir -p "$slurm_home/state"
    chmod 755 "$work" "$slurm_home"
    export SLURM_CONF=$slurm_home/slurm.conf
    slurm_conf "$1" >"$SLURM_CONF"
    head -c 1024 /dev/urandom >"$slurm_home/munge.key"
    chmod 400 "$slurm_home/munge.key"
    munged --foreground --force --socket="$slurm_home/munge.socket" --key-file="$slurm_home/munge.key" \
        --pid-file="$slurm_home/munged.pid" --seed-file="$slurm_home/munge.seed" \
        --log-file="$slurm_home/munged.log" --origin=127.0.0.1 >"$slurm_home/munged.out" 2>&1 &
    slurm_pids+=($!)
    slurm_until test -S "$slurm_home/munge.socket" || return 1
    slurmctld -D -f "$SLURM_CONF" >"$slurm_home/slurmctld.out" 2>&1 &
    slurm_pids+=($!)
    for ((k = 1; k <= $1; k++)); do slurm_node_start "$k"; done
    slurm_until slurm_idle "$1"
}

slurm_idle() { # are all nodes there?
    [ "$(sinfo -h -N -o %t | grep -c '^idle$')" -eq "$1" ]
}
