import { afterAll, describe, expect, it } from 'vitest'
import { startProvider, type ScriptedProvider } from '../../../testing/provider/index.ts'
import { newTestStore, testStoreWithSession } from '../../testing/new-store.ts'

const summary = `## Goal
Make the features work.

## Instructions
(none)

## Discoveries
The parser of feature nine reads its values twice, which is why they were wrong at first.

## Accomplished
${'All features were made one after the other, and each of them was tried after its own edit. '.repeat(25)}

## Relevant files
- src/part0/file1.ts`

const providers: ScriptedProvider[] = []
afterAll(async () => {
  for (const provider of providers) await provider.close()
})

async function provider(...script: Parameters<typeof startProvider>[0]['script'] & object[]) {
  const started = await startProvider({ script })
  providers.push(started)
  return started
}

const usage = { input: 20_000, output: 500 }

describe('compact --model', () => {
  it('asks a server of one’s own, and tells what it costs before and after', async () => {
    const { run } = newTestStore()
    const { url, requests } = await provider({ text: summary, usage })
    const argv = [
      'compact',
      'session.jsonl',
      '--model',
      'claude-haiku-4-5',
      '--base-url',
      `${url}/v1`,
    ]
    const { code, out, err } = await run(argv)
    expect(code).toBe(0)
    expect(out).toContain('reads its values twice')
    expect(err).toMatch(
      /^claude-haiku-4-5 at 127\.0\.0\.1:\d+ will read about [\d,]+ tokens and write up to [\d,]+: about \$0\.0\d\n/,
    )
    expect(err).toContain('summarized by claude-haiku-4-5')
    expect(err).toMatch(/model +1 request, 20,000 tokens in, 500 out: \$0\.02\n/)
    expect(requests).toHaveLength(1)
    expect(requests[0]).toMatchObject({ wire: 'chat-completions', model: 'claude-haiku-4-5' })
    expect(requests[0]?.body).not.toHaveProperty('max_completion_tokens')
  })

  it('asks Anthropic in its own language, with the key of the environment', async () => {
    const { run, directory } = newTestStore()
    const { url, requests } = await provider({ text: summary, usage })
    const env = { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: url }
    const argv = ['compact', 'session.jsonl', '--model', 'anthropic/claude-haiku-4-5']
    const { out } = await run(argv, { env, cwd: directory })
    expect(out).toContain('reads its values twice')
    expect(requests[0]).toMatchObject({ wire: 'anthropic-messages', model: 'claude-haiku-4-5' })
  })

  it('says what it would cost, and asks nobody, with --dry-run', async () => {
    const { run } = newTestStore()
    const { url, requests } = await provider()
    const argv = ['compact', 'session.jsonl', '--model', 'any', '--base-url', url, '--dry-run']
    const { code, out } = await run(argv)
    expect(code).toBe(0)
    expect(out).toMatch(/cost +any at 127\.0\.0\.1:\d+ will read about .*the price is unknown/s)
    expect(requests).toEqual([])
  })

  it('asks once, however often a summary must become shorter for --keep', async () => {
    const { run } = newTestStore()
    const { url, requests } = await provider({ text: summary, usage })
    const argv = ['compact', 'session.jsonl', '--model', 'any', '--base-url', url, '--keep', '2k']
    const { code } = await run(argv)
    expect(code).toBe(0)
    expect(requests).toHaveLength(1)
  })

  it('asks a busy server again', async () => {
    const { run } = newTestStore()
    const { url, requests } = await provider(
      { refuses: 'rate-limit', retryAfter: 1 },
      { text: summary, usage },
    )
    const { err } = await run([
      'compact',
      'session.jsonl',
      '--model',
      'any',
      '--base-url',
      `${url}/v1`,
    ])
    expect(err).toContain('summarized by any')
    expect(requests).toHaveLength(2)
  })

  it('asks once where the account has no credit left, and says what to do', async () => {
    const { run } = newTestStore()
    const error = { message: 'You exceeded your current quota.', code: 'insufficient_quota' }
    const { url, requests } = await provider({
      sends: { status: 429, body: JSON.stringify({ error }), type: 'application/json' },
    })
    const argv = ['compact', 'session.jsonl', '--model', 'any', '--base-url', `${url}/v1`]
    const { code, err } = await run(argv)
    expect(code).toBe(1)
    expect(requests).toHaveLength(1)
    expect(err).toContain('the account has no credit left')
    expect(err).toContain('Add credit to your account')
  })

  it('writes the summary itself where the model fails, and says why', async () => {
    const { run, json } = await testStoreWithSession()
    const { url } = await provider({ text: 'I am sorry, I cannot help.' }, { text: '' })
    const argv = ['compact', 'made', '--model', 'any', '--base-url', `${url}/v1`]
    const { code, out, err } = await run(argv)
    expect(code).toBe(0)
    expect(out).toContain('Never touch config/prod.ts.')
    expect(err).toContain('the model’s summary was not used (it was a refusal')
    expect(err).toContain('summarized locally')
    expect((await json('undo', 'made')).undone).toBeGreaterThan(0)
  })

  it('says in one line that a server does not answer', async () => {
    const { run } = newTestStore()
    const { url, close } = await provider()
    await close()
    const argv = ['compact', 'session.jsonl', '--model', 'any', '--base-url', `${url}/v1`]
    const { code, err } = await run(argv)
    expect(code).toBe(0)
    expect(err).toMatch(
      /was not used \(the call failed: 127\.0\.0\.1:\d+ does not answer \(ECONNREFUSED\)\)/,
    )
  })

  it.each(['anthropic', 'openai'] as const)(
    'asks %s once where the key is refused, and says what to do',
    async (name) => {
      const { run, directory } = newTestStore()
      const { url, requests } = await provider({ refuses: 'key' })
      const variable = `${name.toUpperCase()}_API_KEY`
      const env = { [variable]: 'wrong', ANTHROPIC_BASE_URL: url, OPENAI_BASE_URL: `${url}/v1` }
      const argv = ['compact', 'session.jsonl', '--model', `${name}/any`, '--keep', '3k']
      const { code, out, err } = await run(argv, { env, cwd: directory })
      expect(code).toBe(1)
      expect(requests).toHaveLength(1)
      expect(err).toMatch(/throughline: the key was refused: 127\.0\.0\.1:\d+ answers 401: /)
      expect(err).toContain(`Check ${variable} in the environment. The summary was written without`)
      expect(err).toMatch(/model +1 request/)
      expect(out).toContain('Never touch config/prod.ts.')
    },
  )

  it.each([
    [
      '400, however short the summary must become',
      { error: { statusCode: 400, message: 'no such field' } },
      1,
    ],
    ['a broken connection', { breaks: true }, 4],
  ] as const)(
    'asks no more than a compaction does where the answer is %s',
    async (_, answer, most) => {
      const { run } = newTestStore()
      const { url, requests } = await provider(...Array.from({ length: 12 }, () => answer))
      const argv = ['compact', 'session.jsonl', '--model', 'any', '--base-url', `${url}/v1`]
      const { err } = await run([...argv, '--keep', '3k'])
      expect(requests).toHaveLength(most)
      expect(err).toMatch(new RegExp(`model +${most} requests?, its tokens are unknown`))
      expect(err).toContain('summarized locally')
    },
  )

  it('asks once for a model that the server does not have', async () => {
    const { run } = newTestStore()
    const { url, requests } = await provider({ refuses: 'model' })
    const argv = [
      'compact',
      'session.jsonl',
      '--model',
      'none',
      '--base-url',
      `${url}/v1`,
      '--json',
    ]
    const { code, out, err } = await run(argv)
    expect(code).toBe(1)
    expect(requests).toHaveLength(1)
    expect(err).toContain('the model was not found: 127.0.0.1')
    expect(err).toContain('Check the name of the model. The summary was written without a model.')
    expect(JSON.parse(out)).toMatchObject({
      report: { summarizer: 'local', attempts: [{ refused: 'model' }] },
    })
  })

  it('asks for a key where a server wants one', async () => {
    const { run } = newTestStore()
    const { url } = await provider({ refuses: 'key' })
    const { err } = await run(['compact', 'session.jsonl', '--model', 'any', '--base-url', url])
    expect(err).toContain('Set THROUGHLINE_API_KEY in the environment.')
  })

  it.each([
    [['--model', 'gpt-5-mini'], '--model is PROVIDER/MODEL'],
    [['--model', 'openai/gpt-5-mini'], 'set OPENAI_API_KEY'],
    [['--model', 'anthropik/claude'], 'did you mean anthropic?'],
    [['--model', '../x/y'], '--model begins with'],
    [['--base-url', 'http://127.0.0.1'], '--base-url needs --model'],
    [['--model', 'any', '--base-url', 'file:///etc'], '--base-url must be the address'],
  ])('refuses %j', async (more, message) => {
    const { fails } = newTestStore()
    expect(await fails(2, ['compact', 'session.jsonl', ...more])).toContain(message)
  })

  it('names the command that installs the package of another provider', async () => {
    const { fails } = newTestStore()
    expect(await fails(1, ['compact', 'session.jsonl', '--model', 'cohere/command-a'])).toContain(
      'To install it: npm install -g @ai-sdk/cohere',
    )
  })
})
