import { join, relative, sep } from 'node:path'
import { clientEntries, commandEntry, libraryEntries, packageFolder } from './entries.ts'

interface Room {
  name: string
  holds: (path: string, id: string, graph: ModuleGraph) => boolean
  /** How many entries must need a module; two by default. */
  minShareCount?: number
}

/** The modules that each module imports by a plain `import`. */
export interface ModuleGraph {
  getModuleInfo: (id: string) => { importedIds: readonly string[] } | null
}

// Claude Code's files are read by the formats of harnesses, which need Node.
const adapters = Object.values(libraryEntries).filter(
  (file) => file.includes('/integrations/') && file !== libraryEntries['claude-agent-sdk'],
)

const clients = Object.values(clientEntries)
/** What a client starts anew for each hook, so that it loads nothing that it does not need. */
const hookStarts = clients.filter((file) =>
  /\/(?:claude-code|codex|qwen-code)\/program\.ts$/.test(file),
)
const hookPrograms = [...hookStarts, 'src/clients/hooks/hook-work.ts']

const statusline = 'src/cli/commands/statusline/command.ts'

const rooms: readonly Room[] = [
  { name: 'third-party', holds: (path) => path.includes('node_modules/') },
  // What the command loads whenever it is called, first what the library loads too: `--help` and
  // `statusline`, which a client asks for after every answer, load no more.
  {
    name: 'base',
    holds: (path, id, graph) => isCore(path) && called(id, graph),
  },
  {
    name: 'places',
    holds: (path, id, graph) => !path.startsWith('src/cli/') && called(id, graph),
  },
  { name: 'command', holds: (_, id, graph) => called(id, graph) },
  // What `compactMessages` loads before anything is due: a web app ships no more of it at first.
  {
    name: 'first',
    holds: (path, id, graph) =>
      isCore(path) && reached(['src/session/once/compact-messages.ts'], graph).has(id),
  },
  {
    name: 'facts',
    holds: (path, id, graph) => isCore(path) && hooked(id, graph),
  },
  { name: 'core', holds: isCore },
  // What an adapter of an SDK needs of the formats is not with the formats of harnesses.
  {
    name: 'wires',
    holds: (path, id, graph) => isAdapted(path, id, graph) && hooked(id, graph),
  },
  { name: 'adapters', holds: isAdapted },
  // A command that works in the store does not wait for the readers of files.
  {
    name: 'stored',
    holds: (path, id, graph) =>
      path.startsWith('src/formats/') &&
      reached(['src/cli/store/session-work.ts'], graph).has(id) &&
      hooked(id, graph),
  },
  {
    name: 'hooks',
    holds: (path, id, graph) => !path.startsWith('src/cli/') && reached(hookStarts, graph).has(id),
  },
  // Without code of its own, an entry needs no map.
  { ...below('sqlite', 'stores/sqlite', 'stores/json-lines'), minShareCount: 1 },
  {
    name: 'clients',
    holds: (path, id, graph) =>
      !path.startsWith('src/cli/') && reached([...clients, ...hookPrograms], graph).has(id),
  },
  below('formats', 'formats', 'wires', 'harnesses'),
  below('hosts', 'hosts'),
  below('config', 'config'),
  // The command has no parser of others, which the rest of the evaluation reads shell lines by.
  {
    name: 'exam',
    holds: (path, id, graph) =>
      path.startsWith('src/evaluation/') &&
      reached(['src/cli/commands/exam/command.ts'], graph).has(id),
  },
  below('evaluation', 'evaluation'),
  below('testing', 'testing'),
  below('terminal', 'cli/terminal', 'cli/output', 'cli/transcript'),
  {
    name: 'command-store',
    holds: (path) => /^src\/cli\/(?:store\/|[^/]*$)/.test(path),
  },
  below('command-installed', 'cli/installed', 'clients'),
  below('command-shared', 'cli', 'report'),
]

function hooked(id: string, graph: ModuleGraph): boolean {
  return reached(hookPrograms, graph).has(id)
}

function isAdapted(path: string, id: string, graph: ModuleGraph): boolean {
  return /^src\/(?:wires|formats|integrations)\//.test(path) && reached(adapters, graph).has(id)
}

function called(id: string, graph: ModuleGraph): boolean {
  return [commandEntry, statusline].some((entry) => reached([entry], graph).has(id))
}

function isCore(path: string): boolean {
  return /^src\/(?:(?:json|log|tokens|facts|compaction|session)\/|stores\/[^/]*$)/.test(path)
}

function below(name: string, ...folders: readonly string[]): Room {
  return { name, holds: (path) => folders.some((folder) => path.startsWith(`src/${folder}/`)) }
}

/**
 * The files that several entries share, the lower floors first: each takes along what it imports
 * and no room before it holds.
 */
export const groups = rooms.map(({ name, holds, minShareCount = 2 }, index) => ({
  debugName: name,
  name: (id: string, graph: ModuleGraph) =>
    holds(relative(packageFolder, id).split(sep).join('/'), id, graph) ? name : null,
  priority: rooms.length - index,
  minShareCount,
}))

const known = new Map<string, ReadonlySet<string>>()

function reached(entries: readonly string[], graph: ModuleGraph): ReadonlySet<string> {
  const key = entries.join()
  const before = known.get(key)
  if (before) return before
  const found = new Set<string>()
  const open = entries.map((entry) => join(packageFolder, entry))
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue
    found.add(id)
    open.push(...(graph.getModuleInfo(id)?.importedIds ?? []))
  }
  known.set(key, found)
  return found
}
