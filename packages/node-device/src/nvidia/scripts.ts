/*
 * Scripts for /bin/sh, each a constant: values come as positional arguments. They read several things at once, because each
 * exec costs a round trip through the API server and the kubelet. A line that a script writes begins with a word that says
 * what the rest is, whatever a process has chosen to be called, or with the path of the kernel's file that it stands in; the
 * last is `end`, so that nothing cut off is taken for all.
 * Nothing in them follows a link of /proc/<pid>/fd: that may hang for ever on a file of a dead network mount.
 * They travel in a URL, of which proxies take no more than 8 KiB: they are sent without what is there for readers alone.
 */

/** A script without blank lines and indentation. */
function compact(text: string): string {
  return text.replaceAll(/^\s+/gm, '');
}

/** Defines `in_driver`, which runs a program in the root of the driver's files. chroot is looked for at fixed places, never through PATH. */
const IN_DRIVER = `
in_driver() {
  for chroot in /usr/sbin/chroot /usr/bin/chroot /sbin/chroot /bin/chroot /usr/local/sbin/chroot /usr/local/bin/chroot; do
    if [ -x "$chroot" ]; then
      "$chroot" /run/nvidia/driver "$@"
      return
    fi
  done
  echo 'no chroot in /usr/sbin, /usr/bin, /sbin, /bin, /usr/local/sbin or /usr/local/bin' >&2
  return 127
}
`;

/** Runs its arguments in the root of the driver's files. */
export const IN_DRIVER_ROOT = compact(`${IN_DRIVER}
in_driver "$@"
`);

/** The configuration spaces of NVIDIA's display devices, whether a driver has them or not. */
const PCI_CONFIGS = `
for device in /sys/bus/pci/devices/*; do
  vendor=
  class=
  read -r vendor 2>/dev/null < "$device/vendor"
  read -r class 2>/dev/null < "$device/class"
  case $vendor,$class in
    0x10de,0x03*)
      printf 'config %s ' "\${device##*/}"
      /usr/bin/od -An -v -tx1 "$device/config" | /usr/bin/tr -d ' \\n'
      echo
      ;;
  esac
done
`;

/** Writes the configuration spaces, and runs its arguments. */
export const CONFIGS_ON_HOST = compact(`${PCI_CONFIGS}
program=$1
shift
exec "$program" "$@"
`);

/** The same in a container, whose root for the driver has no /sys. */
export const CONFIGS_IN_CONTAINER = compact(`${PCI_CONFIGS}${IN_DRIVER_ROOT}`);

/** The GPUs of the driver: each line of each information file. */
const GPUS = `
/usr/bin/grep -sH . /proc/driver/nvidia/gpus/*/information
`;

/**
 * Defines `open_files`: who has the device file of a minor number open (process id, minor number, name), or of any that fits the pattern
 * given; and how many processes were looked at. A list of one folder alone would come without its name.
 */
const OPEN_FILES = `
open_files() {
  /usr/bin/ls -lq /dev/null /proc/[0-9]*/fd 2>/dev/null |
    /usr/bin/grep -E '^/proc/[0-9]+/fd:$|/nvidia'"$1"'( .deleted.)?$' | {
    scanned=0
    while IFS= read -r line; do
      case $line in
        /proc/*)
          folder=\${line%/fd:}
          scanned=$((scanned + 1))
          ;;
        *)
          of=\${line##*/nvidia}
          if read -r name 2>/dev/null < "$folder/comm"; then
            printf 'holder %s %s %s\\n' "\${folder#/proc/}" "\${of%% *}" "$name"
          fi
          ;;
      esac
    done
    printf 'scanned %s\\n' "$scanned"
  }
}
`;
const ANY_MINOR = '[0-9]+';

/** The persistence daemon by its file of the process id: killed, it leaves the file. Sets pid and name. */
const PERSISTENCED = `
pid=
name=
read -r pid 2>/dev/null < /var/run/nvidia-persistenced/nvidia-persistenced.pid
case $pid in
  '' | *[!0-9]*) echo 'persistenced none' ;;
  *)
    read -r name 2>/dev/null < "/proc/$pid/comm"
    if [ "$name" = nvidia-persiste ]; then
      echo "persistenced running $pid"
    else
      echo "persistenced ended $pid"
    fi
    ;;
esac
`;

/** Tells of the persistence daemon of a container, and runs its arguments in the root of the driver's files. */
export const FIND_PERSISTENCED = compact(`${PERSISTENCED}${IN_DRIVER_ROOT}`);

/** Tells the exit code of the program whose words are in `said`, kept as `code`, and then these, line by line; `word` is a shell's word. */
function telling(word: string): string {
  return `
code=$?
printf '%s-exit %s\\n' ${word} "$code"
printf '%s\\n' "$said" | while IFS= read -r line; do
  printf '%s %s\\n' ${word} "$line"
done
`;
}

/** What `nvidia-smi` says, and its exit code. */
function told(word: string, args: string): string {
  return `
said=$(/usr/bin/nvidia-smi ${args})
${telling(word)}`;
}

/** Who uses the GPUs. The list of GPUs with their MIG devices is needed only where a process runs on one of those. */
export const LOAD = compact(`
${GPUS}
${told('apps', '--query-compute-apps=gpu_uuid,pid,process_name --format=csv,noheader,nounits')}
case $said in
  *MIG-*)
${told('mig', '-L')}
    ;;
esac
${OPEN_FILES}
open_files '${ANY_MINOR}'
echo end
`);

/** Finds the GPU `uuid`: sets `files` to its information file, where the driver has it, and `minor` to the number of its device file. */
const FIND_GPU = `
files=$(/usr/bin/grep -lsi "$uuid" /proc/driver/nvidia/gpus/*/information)
minor=
for file in $files; do
  minor=$(/usr/bin/grep -s '^Device Minor:' "$file")
  minor=\${minor##*[!0-9]}
done
`;

/**
 * Turns `unlessOpen` in `how` into what is to be done about that GPU: `leave` where a process beside the persistence daemon has its
 * device file open, or where that cannot be told, else `anyway`.
 */
const DECIDE = `
if [ "$how" = unlessOpen ]; then
  how=anyway
  if [ -n "$files" ]; then
    if [ -z "$minor" ] || open_files "$minor" | /usr/bin/grep -qvE ' nvidia-persiste$|^scanned [1-9]'; then
      how=leave
    fi
  fi
fi
`;

/**
 * Ends the persistence daemon of a container if the GPU $1 is there and $2 (`unlessOpen` or `anyway`) allows it; runs its other
 * arguments, and behind them what came of $2.
 */
export const END_PERSISTENCED = compact(`
uuid=$1
how=$2
shift 2
${PERSISTENCED}
daemon=$pid
if [ "$name" != nvidia-persiste ]; then daemon=; fi
${OPEN_FILES}${FIND_GPU}${DECIDE}
if [ "$how" = anyway ] && [ -n "$daemon" ] && [ -n "$files" ]; then kill -9 "$daemon"; fi
set -- "$@" "$how"
${IN_DRIVER_ROOT}
`);

const QUIESCED = `
for file in $files; do
  gpu=\${file%/information}
${told('drain', 'drain -p "${gpu##*/}" -q')}
  if [ "$how" = anyway ]; then
${told('mode', '-i "$uuid" -pm 0')}
  fi
  /usr/bin/grep -ls "devices/\${gpu##*/}/remov[e]" /proc/[0-9]*/cmdline
done
if /usr/bin/grep -qsi hypervisor /proc/cpuinfo; then echo 'machine virtual'; else echo 'machine physical'; fi
/usr/bin/grep -sHE '^nvidia' /proc/modules
${GPUS}
open_files "\${minor:-${ANY_MINOR}}"
echo end
`;

/**
 * Switches the persistence mode of the GPU $1 off if $2 is `anyway`, and not if it is `leave`; reads how the GPU is then, and what else
 * decides how it is removed: also whether the writer of an earlier removal still waits in the kernel.
 */
export const QUIESCE = compact(`
uuid=$1
how=$2
${OPEN_FILES}${FIND_GPU}
${QUIESCED}
`);

/** The same where nobody has looked who has the GPU open: $2 is `unlessOpen` or `anyway`. */
export const LOOK_AND_QUIESCE = compact(`
uuid=$1
how=$2
${OPEN_FILES}${FIND_GPU}${DECIDE}
${QUIESCED}
`);

/**
 * Takes the GPU $1 at the address $2 (as the kernel writes it) off its node: drain state, unless $5 is `draining`; device file, of minor
 * number $4; the modules that are its further arguments; removal by $6, `nvidia-smi` (for which the address is $3) or `kernel`. Each step
 * needs the one before it, and that no other GPU is there by now: whoever started this may have been given up for dead, and the GPU been
 * replaced. A driver may not tell the UUID of one that it tears down. Tells what each step said; then of the persistence daemon, and of
 * the GPUs that there are.
 */
function removing(inDriver: '' | 'in_driver', deviceFiles: string): string {
  return compact(`
uuid=$1
address=$2
smi_address=$3
minor=$4
state=$5
by=$6
shift 6
${inDriver && IN_DRIVER}
information=/proc/driver/nvidia/gpus/$address/information
is_there() {
  /usr/bin/grep -qsiE "$uuid|GPU-[?]" "$information"
}
drain() {
  [ "$state" = draining ] || did start ${inDriver} /usr/bin/nvidia-smi drain -p "$smi_address" -m 1
}
unload() {
  [ $# = 0 ] || did unload ${inDriver} /usr/sbin/rmmod "$@"
}
remove() {
  case $by in
    nvidia-smi) ${inDriver} /usr/bin/nvidia-smi drain -p "$smi_address" -r ;;
    kernel) echo 1 | /usr/bin/tee "/sys/bus/pci/devices/$address/remove" > /dev/null ;;
  esac
}
did() {
  word=$1
  program=$2
  shift 2
  said=$("$program" "$@" 2>&1)
  ${telling('"$word"')}
  return "$code"
}
/usr/bin/grep -qsi "$uuid" "$information" && drain && is_there && did unlink /usr/bin/rm -f ${deviceFiles} && unload "$@" && is_there && did remove remove
${PERSISTENCED}
${GPUS}
echo end
`);
}

/** Where the whole script runs in the root of the driver's files. */
export const REMOVE_ON_HOST = removing('', '"/dev/nvidia$minor"');

/** Where only the driver's own programs run there: that root has no /sys, and the container has a device file of its own. */
export const REMOVE_IN_CONTAINER = removing('in_driver', '"/dev/nvidia$minor" "/run/nvidia/driver/dev/nvidia$minor"');

/** Starts the persistence daemon of a container if it does not run. It lives on; the streams of the exec would stay open with it. */
export const START_PERSISTENCED = compact(`
${PERSISTENCED}
if [ "$name" = nvidia-persiste ]; then exit 0; fi
/usr/bin/nvidia-persistenced --persistence-mode < /dev/null > /dev/null 2>&1
`);
