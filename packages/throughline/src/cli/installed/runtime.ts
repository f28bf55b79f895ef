import { packageVersion } from '../version.ts'
import type { FolderChange } from './change.ts'
import type { Place } from './place.ts'

/** What clients start, a folder for each version. */
export function runtimesFolder({ folder, path }: Pick<Place, 'folder' | 'path'>): string {
  return path.join(folder, 'runtime')
}

/** The folder of this version’s own files, which clients start the command from. */
function runtimeFolder({ folder, path }: Pick<Place, 'folder' | 'path'>): string {
  return path.join(runtimesFolder({ folder, path }), packageVersion)
}

/**
 * What clients start is copied, so that it stays there: the package may be one that `npx` fetched
 * for a moment, or be updated under a running client.
 */
export function runtimeCopy(place: Place): FolderChange[] {
  const { path } = place
  return ['bin', 'dist'].map((name) => ({
    type: 'folder',
    path: path.join(runtimeFolder(place), name),
    from: path.join(place.package, name),
  }))
}

/**
 * The command with which a client starts the MCP server: it answers for the session of its client.
 * Where hooks of ours run, its agent may ask for more than recall.
 */
export function mcpServer(place: Place, hooked?: string): { command: string; args: string[] } {
  const program = place.path.join(runtimeFolder(place), 'bin', 'throughline.js')
  return {
    command: place.node,
    args: [program, 'mcp', ...(hooked === undefined ? [] : ['--for', hooked])],
  }
}
