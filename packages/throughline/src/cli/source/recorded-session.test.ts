import { describe, expect, it } from 'vitest'
import { openHooks } from '../../clients/opencode/v1.ts'
import { harnessHome, type HarnessHome } from '../testing/harness-home.ts'
import { runMain } from '../testing/run-main.ts'
import type { OpencodeMessage } from '../../clients/opencode/messages.ts'

const words = 'word '.repeat(1_500)
const id = 'ses_1'

function user(name: string, text: string): OpencodeMessage {
  const model = { providerID: 'p', modelID: 'm' }
  return { info: { id: name, role: 'user', sessionID: id, model }, parts: [{ type: 'text', text }] }
}

function step(name: string): OpencodeMessage {
  const info = { id: name, role: 'assistant', sessionID: id, modelID: 'm', finish: 'tool-calls' }
  const state = { status: 'completed', input: { filePath: name }, output: `${name} ${words}` }
  const tool = { type: 'tool', tool: 'read', callID: `call_${name}`, state }
  return { info, parts: [{ type: 'text', text: `I read ${name}. ${words}` }, tool] }
}

function messages(steps: number): OpencodeMessage[] {
  const names = Array.from({ length: steps }, (_, index) => `a${index + 10}`)
  return [user('a0', 'Read everything. Never write a file.'), ...names.map(step)]
}

/** What a plugin of ours does to opencode's requests. */
async function worked(home: HarnessHome, said: OpencodeMessage[]): Promise<void> {
  const model = { id: 'm', limit: { context: 40_000, output: 13_000 } }
  const api = {
    config: {
      providers: async () => ({ data: { providers: [{ id: 'p', models: { m: model } }] } }),
    },
    session: {
      create: async () => ({ data: { id: 'ses_child' } }),
      delete: async () => ({}),
      messages: async () => ({ data: said }),
      prompt: async () => ({ data: {} }),
    },
    _client: { get: async () => ({ data: { version: '1.18.33' } }) },
  }
  const env = { ...home.env, THROUGHLINE_LOCAL: '1' }
  const hooks = await openHooks({ client: api, directory: '/work' }, env)
  await hooks['experimental.chat.messages.transform']({}, { messages: [...said] })
}

async function homeWith({ steps, recorded }: { steps: number; recorded: OpencodeMessage[] }) {
  const home = harnessHome()
  home.putInDatabase([{ info: { id }, messages: messages(steps) } as never])
  await worked(home, recorded)
  const setting = { env: home.env, cwd: home.home }
  return {
    run: async (...argv: string[]) => (await runMain(argv, setting)).out,
    asked: async (...argv: string[]) =>
      JSON.parse((await runMain([...argv, '--json'], setting)).out),
  }
}

describe('a session of opencode, which keeps nothing of our compactions itself', () => {
  it('is told of with what the plugin did in it', async () => {
    const { run, asked } = await homeWith({ steps: 15, recorded: messages(14) })
    const session = `opencode:${id}`
    const { compactions, standing } = await asked('report', session)
    expect(compactions).toMatchObject([{ kind: 'summary', by: 'local', state: 'in force' }])
    const [{ before, after, detail }] = compactions
    expect(after).toBeLessThan(before / 2)
    expect(detail.summary.some(({ refs }: { refs: string[] }) => refs.length > 0)).toBe(true)
    expect(standing.rules).toMatchObject([{ text: 'Never write a file.', in: true }])
    // What came behind it is there, and what it stands for, too.
    const log = await run('report', '--log', session)
    expect(log.match(/checkpoint/g)).toHaveLength(1)
    expect(log.match(/read answers/g)).toHaveLength(15)
    const found = await asked('search', 'everything')
    const kinds = found.sessions.flatMap(({ hits }: { hits: { said: string }[] }) =>
      hits.map(({ said }) => said),
    )
    expect(kinds).toEqual(expect.arrayContaining(['you', 'summary']))
  })

  it('goes on elsewhere from what the plugin made of it', async () => {
    const { asked } = await homeWith({ steps: 15, recorded: messages(14) })
    const plain = await homeWith({ steps: 15, recorded: messages(2) })
    const resumed = (each: typeof plain) => each.asked('resume', `opencode:${id}`, '--in', 'codex')
    const [made, whole] = [await resumed({ asked } as typeof plain), await resumed(plain)]
    expect(made.tokens.before).toBeLessThan(whole.tokens.before / 2)
  })

  it('is read as it is where the record is of another session of that name', async () => {
    const others = messages(14).map((each, at) => ({
      ...each,
      info: { ...each.info, id: `b${at}` },
    }))
    const { asked, run } = await homeWith({ steps: 15, recorded: others })
    expect((await asked('report', `opencode:${id}`)).compactions).toEqual([])
    expect(await run('report', '--log', `opencode:${id}`)).not.toContain('rewind')
  })
})
