import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'

// Loaded before a program: adds to the list of formats the line that a new one adds.
registerHooks({
  load(url, context, next) {
    if (!url.endsWith('/formats/formats.ts')) return next(url, context)
    const listed = readFileSync(new URL(url), 'utf8')
      .replace(/^/, "import { invented } from './testing/invented/format.ts'\n")
      .replace(/^ {2}throughline,$/m, '  throughline,\n  invented,')
    return { format: 'module', source: stripTypeScriptTypes(listed), shortCircuit: true }
  },
})
