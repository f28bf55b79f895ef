import { registerHooks } from 'node:module'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rooms } from './rooms.ts'

/** Loaded before a measurement: the library's sources take the place of its bundles, without a room. */
const sources = join(import.meta.dirname, '../../packages/throughline/src')
const named = process.env['WITHOUT'] ?? 'nothing'
const room = rooms.find(({ name }) => name === named)
if (room === undefined) throw new Error(`There is no room called ${named}.`)

const moduleOf = (url: string): string | undefined => {
  const path = url.startsWith('file:') ? fileURLToPath(url.replace(/\?.*$/, '')) : ''
  return path.startsWith(`${sources}/`) ? path.slice(sources.length + 1) : undefined
}

registerHooks({
  resolve: (specifier, context, next) => {
    const [, door] = /^throughline\/(\w+)$/.exec(specifier) ?? []
    if (door === undefined) return next(specifier, context)
    const url = pathToFileURL(join(sources, door, 'index.ts')).href
    return { url, shortCircuit: true, format: 'module-typescript' }
  },
  load: (url, context, next) => {
    const module = moduleOf(url)
    if (module === undefined) return next(url, context)
    const instead = room.instead?.[module]
    if (instead !== undefined && !url.includes('?')) {
      // A module's own exports hide those that it gives on.
      const source = `export * from '${url}?whole'\n${instead}`
      return { format: 'module', source, shortCircuit: true }
    }
    const edits = room.edits?.[module]
    if (edits === undefined) return next(url, context)
    let source = readFileSync(fileURLToPath(url), 'utf8')
    for (const [from, to] of edits) {
      if (!source.includes(from)) throw new Error(`${module} no longer holds: ${from}`)
      source = source.replace(from, to)
    }
    return { format: 'module-typescript', source, shortCircuit: true }
  },
})
