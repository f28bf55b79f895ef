import { readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { basename } from 'node:path'
import { Instrumenter } from '@stryker-mutator/instrumenter'

/** A mutant that is built into the code, and acts where its number is switched on. */
export interface Mutant {
  id: string
  /** The path of the file, as it was given. */
  fileName: string
  mutatorName: string
  replacement: string
  /** Counted from 0. */
  location: { start: Place; end: Place }
}

interface Place {
  line: number
  column: number
}

/** The mutants of some files, and what the files were before they were built in. */
export interface Instrumented {
  mutants: Mutant[]
  sources: Map<string, string>
}

const isQuiet = (): boolean => false
const say = (): void => undefined
const logger = {
  isTraceEnabled: isQuiet,
  isDebugEnabled: isQuiet,
  isInfoEnabled: isQuiet,
  isWarnEnabled: isQuiet,
  isErrorEnabled: isQuiet,
  isFatalEnabled: isQuiet,
  trace: say,
  debug: say,
  info: say,
  warn: say,
  error: say,
  fatal: say,
}

/**
 * Builds every mutant that Stryker knows into the files, each behind a switch of its own. The types
 * go first, in place: a condition with mutants in it can read as if it had type arguments.
 */
export async function instrument(files: readonly string[]): Promise<Instrumented> {
  const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
  const { files: written, mutants } = await new Instrumenter(logger).instrument(
    [...sources].map(([file, text]) => ({
      name: mutated(file),
      content: stripTypeScriptTypes(text),
      mutate: true,
    })),
    { plugins: null, excludedMutations: [], ignorers: [] },
  )
  for (const { name, content } of written) writeFileSync(name, content)
  for (const file of files) writeFileSync(file, `export * from './${basename(mutated(file))}'\n`)
  const own = mutants.filter(({ status }) => status !== 'Ignored') as Mutant[]
  return {
    mutants: own.map((mutant) => ({ ...mutant, fileName: unmutated(mutant.fileName) })),
    sources,
  }
}

function mutated(file: string): string {
  return file.replace(/\.ts$/, '.mutated.js')
}

function unmutated(file: string): string {
  return file.replace(/\.mutated\.js$/, '.ts')
}
