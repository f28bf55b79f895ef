import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { importedAs, libraryEntries, packageFolder } from '../../../../throughline/build/entries.ts'

// A program that is started by a test runs the source as the test does, with nothing built.
const sources = new Map<string, string>(
  Object.entries(libraryEntries).map(([entry, file]) => [
    importedAs(entry),
    pathToFileURL(join(packageFolder, file)).href,
  ]),
)

registerHooks({
  resolve(specifier, context, next) {
    const source = sources.get(specifier)
    return source === undefined ? next(specifier, context) : { url: source, shortCircuit: true }
  },
})
