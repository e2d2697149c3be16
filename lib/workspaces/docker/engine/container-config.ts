import type { CommandLimits } from "@/lib/workspaces/limits";

/** What a container is made of; a change of any of it takes a new container. */
export interface ContainerSettings {
  readonly image: string;
  /** The path of the workspace in the container. */
  readonly workdir: string;
  readonly network: boolean;
  readonly memoryBytes: number;
  readonly limits: CommandLimits;
  /** The user that runs the commands; never root. */
  readonly uid: number;
  /** The engine's name of a runtime such as `runsc`; null for its default. */
  readonly runtime: string | null;
  readonly labels: Readonly<Record<string, string>>;
}

/** Holds the container open; not the user of the commands, so that they can't end it. */
const HOLDER = 65_534;
const CPU_PERIOD_US = 100_000;
/** For what the engine and the listing of files need besides the command. */
const SPARE_BYTES = 32 * 2 ** 20;
/** Runtimes start programs under the limit of the programs and need this much for themselves. */
const LEAST_DATA_BYTES = 256 * 2 ** 20;
const SPARE_PROCESSES = 32;

/** The folder of the installed skills; written by root of the container, readable by commands. */
export const SKILLS_FOLDER = "/skills";

/**
 * The body of POST /containers/create. The first process waits for the end of its input, which is a connection held by
 * the server: when the server dies, the connection closes, the container ends and removes itself with everything that
 * still runs in it. The shell in front of it collects what orphaned processes leave.
 */
export function containerConfig(settings: ContainerSettings, volume: string): object {
  const { image, workdir, limits, labels } = settings;
  return {
    Image: image,
    Entrypoint: ["/bin/sh", "-c", "chmod 1777 . /tmp 2>/dev/null; cat >/dev/null; :"],
    Cmd: [],
    User: `${HOLDER}:${HOLDER}`,
    Hostname: "sandbox",
    WorkingDir: workdir,
    Env: environment(workdir),
    Labels: labels,
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    Tty: false,
    StopSignal: "SIGKILL",
    Healthcheck: { Test: ["NONE"] },
    HostConfig: {
      ...confinement(settings),
      ...resources(settings),
      AutoRemove: true,
      LogConfig: { Type: "none", Config: {} },
      Mounts: [{ Type: "volume", Source: volume, Target: workdir, VolumeOptions: { NoCopy: true } }],
      Tmpfs: {
        "/tmp": `rw,exec,nosuid,nodev,size=${limits.temporaryBytes},mode=1777`,
        ...(workdir === SKILLS_FOLDER ? {} : { [SKILLS_FOLDER]: "rw,exec,nosuid,nodev,size=268435456,mode=0755" }),
      },
    },
  };
}

function confinement({ network, runtime }: ContainerSettings): object {
  return {
    NetworkMode: network ? "bridge" : "none",
    ReadonlyRootfs: true,
    CapDrop: ["ALL"],
    SecurityOpt: ["no-new-privileges"],
    Privileged: false,
    IpcMode: "private",
    ...(runtime === null ? {} : { Runtime: runtime }),
  };
}

/** As for bubblewrap, but the engine counts the memory of all processes, of /tmp and of shared memory together. */
function resources({ memoryBytes, limits }: ContainerSettings): object {
  const memory = memoryBytes + SPARE_BYTES;
  return {
    Memory: memory,
    MemorySwap: memory,
    PidsLimit: limits.processes + SPARE_PROCESSES,
    CpuPeriod: CPU_PERIOD_US,
    CpuQuota: limits.cpus * CPU_PERIOD_US,
    ShmSize: limits.temporaryBytes,
    OomScoreAdj: 500,
    Ulimits: [
      limit("data", Math.max(memoryBytes, LEAST_DATA_BYTES)),
      limit("nproc", limits.processes),
      limit("fsize", limits.fileBytes),
      limit("cpu", limits.cpuSeconds),
      limit("nofile", limits.openFiles),
      limit("core", 0),
      limit("memlock", 65_536),
      limit("msgqueue", 65_536),
    ],
  };
}

function limit(name: string, value: number) {
  return { Name: name, Soft: value, Hard: value };
}

/** PATH is the image's own. */
function environment(workdir: string): string[] {
  return [`HOME=${workdir}`, "USER=agent", "LOGNAME=agent", "LANG=C.UTF-8", "TERM=dumb", "TMPDIR=/tmp"];
}
