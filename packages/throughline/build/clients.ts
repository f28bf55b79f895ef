import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { packageFolder } from './entries.ts'
import { packageOf } from './third-party.ts'

const clients = join(packageFolder, 'src/clients')

/** What runs inside a client, by the client's name: the file that its plugin begins with. */
function clientEntries(): ReadonlyMap<string, string> {
  const names = readdirSync(clients).filter((name) => existsSync(join(clients, name, 'plugin.ts')))
  return new Map(names.map((name) => [name, join(clients, name, 'plugin.ts')]))
}

/**
 * Writes each client's plugin as one file that needs nothing but the runtime, since a client may
 * look for dependencies at every start.
 * @throws Error if a plugin would bundle a package or be more than one file.
 */
export async function writeClients(dist: string): Promise<void> {
  for (const [name, input] of clientEntries()) {
    const bundle = await rolldown({ cwd: packageFolder, platform: 'node', input })
    const { output } = await bundle.write({
      file: join(dist, 'clients', `${name}.js`),
      format: 'esm',
      codeSplitting: false,
    })
    const foreign = output.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []))
    const packages = foreign.flatMap((id) => packageOf(id) ?? [])
    const [wrong] = packages
    if (wrong !== undefined) throw new Error(`The plugin for ${name} would bundle ${wrong}.`)
    if (output.length !== 1) throw new Error(`The plugin for ${name} has ${output.length} files.`)
  }
}
