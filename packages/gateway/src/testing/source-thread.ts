import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { registerHooks } from 'node:module'
import { importedAs, libraryEntries, packageFolder } from '../../../throughline/build/entries.ts'

// The engine's thread as tests need it: with the source of the package, not with what was built last.
const sources = new Map(
  Object.entries(libraryEntries).map(([entry, file]) => [
    importedAs(entry),
    pathToFileURL(join(packageFolder, file)).href,
  ]),
)

registerHooks({
  resolve: (specifier, context, next) => next(sources.get(specifier) ?? specifier, context),
})

await import('../engine/engine-thread.ts')
