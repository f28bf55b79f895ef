import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { memoryStore, type Message } from 'throughline'
import { sqliteStore } from 'throughline/sqlite'
import { startProvider } from 'throughline/testing/provider'
import { scriptedModel } from 'throughline/testing/ai-sdk'
import { openai } from '@ai-sdk/openai'
import { openConversation } from 'throughline/conversation'
import {
  compactedByProvider,
  described,
  ownPrepareStep,
  stream,
  summarizerOfOpenai,
} from './snippets/ai-sdk.ts'
import {
  evaluated,
  inFile,
  neverPrepared,
  ownTask,
  prepared,
  shorterMessages,
  withoutContinuations,
} from './snippets/library.ts'
import {
  cleared,
  compacted,
  ownHost,
  resumed,
  streamed,
  summarizerOfAnthropic,
  withCompactor,
} from './snippets/sdks.ts'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'throughline-snippets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const pages = [
  'README.md',
  'examples/README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]

/** A block of code on a page: what it imports, by module, and the lines behind that. */
interface Block {
  page: string
  imports: readonly string[]
  lines: string
}

const importing = /^import [^;]*? from '[^']+'\n+/gm

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => ({
    page,
    imports: importsIn(code),
    lines: code.replace(importing, ''),
  }))
}

/** `name of module`, for each. */
function importsIn(code: string): string[] {
  return [...code.matchAll(/^import (?:type )?\{([^}]*)\} from '([^']+)'/gm)].flatMap(
    ([, names = '', module = '']) =>
      names
        .split(',')
        .map((name) => name.replace(/^\s*(?:type )?/, '').trim())
        .filter((name) => name !== '')
        .map((name) => `${name.split(' as ')[0]} of ${module}`),
  )
}

/** The lines that an example says are those of a page, as they stand there. */
function markedIn(code: string): string[] {
  const marked =
    /^( *)\/\/ (?:readme|docs|page): begin\n([\s\S]*?)^ *\/\/ (?:readme|docs|page): end/gm
  return [...code.matchAll(marked)].map(([, indent = '', lines = '']) =>
    lines.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )
}

const examples = ['.', 'snippets']
  .flatMap((name) =>
    readdirSync(join(import.meta.dirname, name))
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => join(import.meta.dirname, name, file)),
  )
  .map((file) => {
    const code = readFileSync(file, 'utf8')
    return { marked: markedIn(code), imports: importsIn(code) }
  })

// `loadConfigFile` reads it as it stands on its page, and Node runs it: `config/config-page.test.ts`.
const runElsewhere: ReadonlySet<string> = new Set(['docs/config.md'])

describe('a block of code on a page', () => {
  const blocks = pages.flatMap(blocksOf).filter(({ page }) => !runElsewhere.has(page))

  test.each(blocks)('of $page is run by an example: $lines', ({ lines, imports }) => {
    const holders = examples.filter(({ marked }) => marked.some((each) => each.includes(lines)))
    expect(holders).not.toEqual([])
    const own = imports.filter((each) => !each.includes(' of throughline.config'))
    expect(holders.some((each) => own.every((name) => each.imports.includes(name)))).toBe(true)
  })

  const declarations = join(root, 'packages/throughline/dist/index.d.ts')

  test.skipIf(!existsSync(declarations))(
    'has the types that the built package declares',
    async () => {
      const project = join(folder, 'tsconfig.json')
      writeFileSync(
        project,
        JSON.stringify({
          extends: join(root, 'tsconfig.base.json'),
          compilerOptions: { noEmit: true, typeRoots: [join(root, 'node_modules/@types')] },
          include: [join(root, 'examples/**/*.ts')],
          exclude: [join(root, 'examples/**/*.test.ts')],
        }),
      )
      const tsc = join(root, 'node_modules/typescript/bin/tsc')
      const said = await promisify(execFile)(process.execPath, [tsc, '-p', project], {
        cwd: root,
      }).catch(({ stdout }: { stdout: string }) => ({ stdout }))
      expect(said.stdout).toBe('')
    },
  )
})

/** A provider on this machine that says one thing. */
async function withProvider<Result>(
  script: Parameters<typeof startProvider>[0]['script'],
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const provider = await startProvider({ script })
  try {
    return await work(provider.url)
  } finally {
    await provider.close()
  }
}

const openaiAt = (url: string) => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none' })

/** A conversation of many words. */
const long = Array.from({ length: 60 }, (_, turn) => [
  { role: 'user' as const, content: `request ${turn}` },
  { role: 'assistant' as const, content: 'word '.repeat(900) },
]).flat()

describe('the lines of the pages', () => {
  test('stream with the AI SDK', async () => {
    const model = scriptedModel({
      modelId: 'gpt-5',
      script: [{ calls: [{ name: 'look' }] }, { text: 'All is well.' }],
    })
    const store = sqliteStore({ file: join(folder, 'sessions.db') })
    try {
      expect(
        await stream(
          () => model,
          () => store,
        ),
      ).toBe('All is well.')
      expect((await store.sessions()).map(({ id }) => id)).toEqual(['chat'])
    } finally {
      store.close()
    }
  })

  test('call an own prepareStep with what is about to be sent', async () => {
    expect(await ownPrepareStep()).toEqual([1, 3])
  })

  test('show a chat what the user saw', async () => {
    const shown = await described()
    expect(shown[0]).toMatchObject({ role: 'user', parts: [{ text: 'Look around.' }] })
    expect(shown.at(-1)).toMatchObject({ role: 'assistant' })
  })

  test('make summarizers', () => {
    vi.stubEnv('OPENAI_API_KEY', 'none')
    expect(summarizerOfOpenai()).toBe('gpt-5-mini')
    expect(summarizerOfAnthropic(new Anthropic({ apiKey: 'none' }))).toBe('claude-haiku-4-5')
    vi.unstubAllEnvs()
  })

  test('compact messages of the Anthropic SDK', async () => {
    expect(await compacted(long)).toBeLessThan(long.length)
  })

  test('stream with the Anthropic SDK', async () => {
    const said = await withProvider([{ text: 'Something.' }], (url) =>
      streamed(new Anthropic({ baseURL: url, apiKey: 'none' })),
    )
    expect(said).toBe('Something. 2')
  })

  test('open a conversation with its provider’s own compaction', async () => {
    const opened = await withCompactor(openaiAt('http://127.0.0.1:1'), memoryStore())
    expect(opened).toBe('openai/gpt-5.4 a')
  })

  test('compact by the provider behind the AI SDK', async () => {
    expect(await compactedByProvider(openai)).toMatch(/gpt-5\.4 a$/)
  })

  test('let the API clear before anything is compacted', async () => {
    const window = { context: 200_000 }
    const conversation = await openConversation({ store: memoryStore(), id: 'a', window })
    const { threshold, context_management } = cleared(conversation)
    expect(context_management.edits[0]?.trigger.value).toBe(Math.floor(threshold / 2))
  })

  test('recover in a host of one’s own', async () => {
    const asked: number[] = []
    const sent = await ownHost(long, async (messages: readonly Message[]) => {
      asked.push(messages.length)
      if (asked.length > 1) return { messages: [{ role: 'assistant', content: 'Done.' }] }
      throw Object.assign(new Error('prompt is too long: 70000 tokens > 32000 maximum'), {
        status: 400,
      })
    })
    expect(asked[0]).toBe(long.length)
    expect(sent.length).toBeLessThan(long.length)
  })

  test('wrap a store of the Claude Agent SDK', async () => {
    expect(await resumed('Go on.', 'one')).toMatchObject([{ prompt: 'Go on.', resume: 'one' }])
  })

  test('start a task and a provider', async () => {
    expect(await ownTask()).toEqual(['string', expect.stringMatching(/^http:/)])
  })

  test('evaluate a session', async () => {
    const told = vi.spyOn(console, 'log').mockImplementation(() => {})
    const mean = await evaluated(join(import.meta.dirname, 'sample-session.jsonl'))
    expect(told).toHaveBeenCalledWith(mean)
    told.mockRestore()
    expect(mean).toBeGreaterThan(0)
  })

  test('run a session with a summarizer, or never prepare', async () => {
    const step = async () => ({
      messages: [{ role: 'assistant' as const, content: 'Done.' }],
      finish: 'stop' as const,
    })
    const summarizer = {
      name: 'own',
      summarize: async () => ({ text: '', finish: 'stop' as const }),
    }
    expect((await prepared(step, summarizer)).id).toBe('my-agent')
    expect(neverPrepared()).toBe(180_000)
  })

  test('compact an array of one’s own', async () => {
    const own: Message[] = Array.from({ length: 8 }, () => long).flat()
    expect((await shorterMessages(own)).length).toBeLessThan(own.length)
  })

  test('leave out continuations, and keep a session in a file', async () => {
    expect(withoutContinuations([{ role: 'user', content: 'Hello.' }])).toHaveLength(1)
    expect(await inFile(join(folder, 'own.db'))).toBe('my-agent')
  })
})
