import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { packageFolder } from './entries.ts'
import { packageOf } from './third-party.ts'

const clients = join(packageFolder, 'src/clients')

/**
 * What runs for a client, by the name of the file that is made of it: its plugin or the program
 * that its hooks start, named after the client, and what it loads into itself beside that.
 */
function clientEntries(): ReadonlyMap<string, string> {
  return new Map(
    readdirSync(clients).flatMap((client) =>
      [...beginnings].flatMap(([file, end]): [string, string][] => {
        const path = join(clients, client, file)
        return existsSync(path) ? [[`${client}${end}`, path]] : []
      }),
    ),
  )
}

const beginnings = new Map([
  ['plugin.ts', ''],
  ['program.ts', ''],
  ['module.ts', '-module'],
])

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
      comments: { annotation: true, jsdoc: false, legal: true },
      // Nobody debugs a program there; of a plugin, the names in a stack trace stay.
      minify: input.endsWith('program.ts') || {
        compress: false,
        mangle: false,
        codegen: { removeWhitespace: true },
      },
    })
    const foreign = output.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []))
    const packages = foreign.flatMap((id) => packageOf(id) ?? [])
    const [wrong] = packages
    if (wrong !== undefined) throw new Error(`The plugin for ${name} would bundle ${wrong}.`)
    if (output.length !== 1) throw new Error(`The plugin for ${name} has ${output.length} files.`)
  }
}
