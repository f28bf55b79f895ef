import { stringLeaves } from '../json/fields.ts'
import { describe, expect, test } from 'vitest'
import { advanceFacts, emptyFacts, factsOf } from './facts-of.ts'
import { historyOf } from '../log/history.ts'
import { outputText, partsOf } from '../log/message.ts'
import {
  corpusFiles,
  corpusIsHere,
  corpusMissing,
  readCorpusFile,
  type CorpusFile,
} from '../testing/generate/corpus.ts'
import type { FileState, Facts } from './facts.ts'
import type { Chronological } from '../log/order.ts'

const title = corpusIsHere ? 'on real sessions' : corpusMissing

/** A call with its result, read in another way than the code under test reads them. */
interface Call {
  tool: string
  input: unknown
  output: string
  failed: boolean
}

function callsOf(log: Chronological): Call[] {
  const calls = new Map<string, Call>()
  for (const { message } of historyOf(log).entries) {
    for (const part of partsOf(message)) {
      if (part.type === 'tool-call') {
        calls.set(part.toolCallId, {
          tool: part.toolName,
          input: part.input,
          output: '',
          failed: true,
        })
      }
      const call = part.type === 'tool-result' ? calls.get(part.toolCallId) : undefined
      if (!call || part.type !== 'tool-result') continue
      call.output = outputText(part.output)
      call.failed = part.output.type.startsWith('error') || part.output.type === 'execution-denied'
    }
  }
  return [...calls.values()]
}

/** The files that edit tools and patches changed, and whether they were new. */
function artifactTrail(calls: readonly Call[], root: string): Map<string, FileState> {
  const trail = new Map<string, FileState>()
  const note = (path: string, state: FileState): void => {
    const name = path.replace(/\\/g, '/').replace(`${root}/`, '')
    if (state !== 'edited' || !trail.has(name)) trail.set(name, state)
  }
  for (const { tool, input, output, failed } of calls) {
    const { file_path: path } = (input ?? {}) as { file_path?: unknown }
    const patched = /"exit_code":[1-9]|verification failed/.test(output)
    if (failed || patched) continue
    if (/^(?:Edit|MultiEdit|Write|NotebookEdit)$/.test(tool) && typeof path === 'string') {
      note(
        path,
        /created successfully/.test(output) && !trail.has(path.replace(`${root}/`, ''))
          ? 'created'
          : 'edited',
      )
    }
    if (tool !== 'apply_patch') continue
    for (const [, verb, name = ''] of String(stringLeaves(input)[0]).matchAll(
      /^\*\*\* (Add|Update|Delete) File: (.+)$/gm,
    )) {
      note(name, verb === 'Add' ? 'created' : verb === 'Delete' ? 'deleted' : 'edited')
    }
  }
  return trail
}

/** The paths that the edit tools and patches of any harness name. */
function pathsChanged(calls: readonly Call[]): string[] {
  return calls.flatMap(({ tool, input, failed }) => {
    if (failed) return []
    if (tool === 'apply_patch') {
      const [patch = ''] = stringLeaves(input)
      return [...patch.matchAll(/^\*\*\* (?:Add|Update) File: (.+)$/gm)].map(
        ([, name = '']) => name,
      )
    }
    if (!/^(?:edit|write|create|replace|write_file|str_replace)$/.test(tool)) return []
    const { filePath, file_path: snake, path } = input as Record<string, unknown>
    return [filePath ?? snake ?? path].filter((name) => typeof name === 'string')
  })
}

/** Whether a shell command also did something to the file, so that the tools do not tell all. */
function isMovedByShell(calls: readonly Call[], path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return calls.some(({ tool, input }) => {
    const text = stringLeaves(input).join(' ')
    return (
      !/edit|write|patch|read/i.test(tool) &&
      /\b(?:rm|mv|cp|checkout|restore|tee)\b|>/.test(text) &&
      text.includes(name)
    )
  })
}

/** The words of the definition of fidelity, found with regular expressions. */
function wordsOf(text: string): string[] {
  const words = text.match(/[A-Za-z0-9_.@~/-]+/g) ?? []
  return words
    .filter((word) => word.length <= 300)
    .map((word) => word.replace(/^[-.@~/]+|[-.@~/]+$/g, ''))
    .filter((word) => word.length >= 8 && !/^\d{4}-\d\d-\d\d/.test(word))
    .filter((word) => {
      const path = word.includes('/') && /[A-Za-z]/.test(word)
      const hump = /[a-z][A-Z]/.test(word) || /[A-Za-z0-9]_[A-Za-z0-9]/.test(word)
      const dotted = /[A-Za-z]\.[A-Za-z]/.test(word)
      const hexadecimal = /^[0-9a-f]{8,40}$/.test(word) && /\d/.test(word) && /[a-f]/.test(word)
      return path || hump || dotted || hexadecimal
    })
}

async function indexed(file: CorpusFile): Promise<{ log: Chronological; facts: Facts }> {
  const { log, facts } = await readCorpusFile(file)
  const directories = facts.directory === undefined ? [] : [facts.directory]
  return { log, facts: factsOf(log, { directories }) }
}

describe.skipIf(!corpusIsHere)(title, () => {
  test.each(corpusFiles())(
    'every file that $name changed is listed with its state',
    async (file) => {
      const { log, facts } = await indexed(file)
      const calls = callsOf(log)
      const trail = artifactTrail(calls, facts.root ?? '')
      expect(trail.size).toBeGreaterThan(0)
      for (const [path, state] of trail) {
        const fact = facts.files.get(path)
        expect(fact, path).toBeDefined()
        if (!isMovedByShell(calls, path)) expect([path, fact?.state]).toEqual([path, state])
      }
    },
  )

  test.each(corpusFiles(['opencode', 'pi', 'copilot-cli', 'gemini-cli']))(
    'every file that a tool of $format changed in $name is known to be changed',
    async (file) => {
      const { log, facts } = await indexed(file)
      for (const path of pathsChanged(callsOf(log))) {
        const name = path.replaceAll('\\', '/')
        const [, fact] = [...facts.files].find(([known]) => `/${name}`.endsWith(`/${known}`)) ?? []
        expect(fact, path).toBeDefined()
        expect([path, fact?.state]).not.toEqual([path, 'read'])
      }
    },
  )

  test.each(corpusFiles())('nothing that $name says is changed was made up', async (file) => {
    const { log, facts } = await indexed(file)
    const text = callsOf(log)
      .flatMap(({ input }) => stringLeaves(input))
      .join('\n')
    for (const { path, state } of facts.files.values()) {
      if (state !== 'read') expect(text).toContain(path.slice(path.lastIndexOf('/') + 1))
    }
  })

  test.each(corpusFiles())(
    'every path and identifier in a call of $name is in the facts',
    async (file) => {
      const { log, facts } = await indexed(file)
      const root = `${facts.root}/`
      const known = new Set<string>()
      for (const name of facts.names.keys()) {
        for (const word of [name, ...wordsOf(name)]) known.add(word.replace(/^[-.@~/]+/, ''))
      }
      const missing = new Set<string>()
      for (const { input } of callsOf(log)) {
        for (const word of stringLeaves(input).flatMap(wordsOf)) {
          const name = `/${word}`.startsWith(root) ? word.slice(root.length - 1) : word
          if (!known.has(name) && !known.has(name.slice(1))) missing.add(name)
        }
      }
      // A word that stands behind the escape of a line end is one without its first letter.
      expect(
        [...missing].filter((word) => !known.has(word.slice(1)) && !/^[nrt]/.test(word)),
      ).toEqual([])
    },
  )

  test.each(corpusFiles().slice(0, 2))('$name folds in parts as it folds at once', async (file) => {
    const { log } = await readCorpusFile(file)
    const facts = emptyFacts()
    for (let upTo = 0; upTo < log.length; upTo += 97) advanceFacts(facts, log, { upTo })
    expect(advanceFacts(facts, log)).toEqual(factsOf(log))
  })
})
