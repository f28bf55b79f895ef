import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claudeSession } from '../../testing/claude-session.ts'
import { capturedIo, type Setting } from '../../testing/captured-io.ts'
import { newTestStore } from '../../testing/new-store.ts'
import { newDirectory, runMain } from '../../testing/run-main.ts'
import { main } from '../../main.ts'
import type { PageData } from './page.ts'

const hasPage = existsSync(new URL('../../../../dist/report-page.html', import.meta.url))

interface Viewed {
  url: string
  report: () => Promise<PageData>
  post: (name: string, body: unknown, headers?: Record<string, string>) => Promise<Response>
  end: () => Promise<number>
}

/** The command while it serves. */
async function viewed(argv: readonly string[], setting: Setting): Promise<Viewed> {
  const { io, out, err, interrupt } = capturedIo(setting)
  const ended = main(['report', '--serve', ...argv], io)
  const early = await Promise.race([
    ended,
    expect
      .poll(out)
      .toMatch(/^http:/)
      .then(() => undefined),
  ])
  if (early !== undefined) throw new Error(err())
  const url = out().trim()
  return {
    url,
    report: async () => (await (await fetch(`${url}report.json`)).json()) as PageData,
    post: (name, body, headers = {}) =>
      fetch(url + name, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: new URL(url).origin, ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    end: () => {
      interrupt()
      return ended
    },
  }
}

function answerTo(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

describe.skipIf(!hasPage)('view', () => {
  const session = claudeSession({ turns: 6, steps: 4 })

  it('serves the page on this machine to who knows the token, and ends at Ctrl-C', async () => {
    const cwd = newDirectory()
    writeFileSync(join(cwd, 's.jsonl'), session)
    const { url, end } = await viewed(['s.jsonl'], { cwd })
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/$/)
    const page = await fetch(url)
    expect(page.headers.get('content-security-policy')).toBe("frame-ancestors 'none'")
    expect(page.headers.get('cache-control')).toBe('no-store')
    const text = await page.text()
    expect(text).toContain("connect-src 'self'")
    expect(text).toContain('Please make feature 1 work.')
    const { origin } = new URL(url)
    for (const path of [
      '/',
      '/x/',
      '/x/report.json',
      '/favicon.ico',
      '/../',
      `${new URL(url).pathname}x`,
    ]) {
      const { status } = await fetch(origin + path)
      expect(status, path).toBe(404)
    }
    // Another site's name that leads to this machine.
    expect(await answerTo(url, { host: 'evil.example' })).toBe(403)
    expect(await end()).toBe(0)
    await expect(fetch(url)).rejects.toThrow()
  })

  it('follows a session that grows', async () => {
    const cwd = newDirectory()
    const file = join(cwd, 's.jsonl')
    const lines = session.split('\n')
    writeFileSync(file, lines.slice(0, 20).join('\n'))
    const { url, report, end } = await viewed(['s.jsonl'], { cwd })
    const events = await fetch(`${url}events`)
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader()
    const before = (await report()).model.entries.length
    appendFileSync(file, lines.slice(20).join('\n'))
    let told = ''
    while (!told.includes('event: changed')) told += (await reader?.read())?.value ?? ''
    expect((await report()).model.entries.length).toBeGreaterThan(before)
    await end()
  })

  it('shows what came between its first look at a session and its watch', async () => {
    const cwd = newDirectory()
    const file = join(cwd, 's.jsonl')
    const lines = session.split('\n')
    writeFileSync(file, lines.slice(0, 20).join('\n'))
    const { io, out, interrupt } = capturedIo({ cwd })
    const write = async (text: string): Promise<void> => {
      if (text.startsWith('http:')) appendFileSync(file, lines.slice(20).join('\n'))
      await io.stdout.write(text)
    }
    const ended = main(['report', '--serve', 's.jsonl'], { ...io, stdout: { ...io.stdout, write } })
    await expect.poll(out).toMatch(/^http:/)
    const entries = async (): Promise<number> =>
      ((await (await fetch(`${out().trim()}report.json`)).json()) as PageData).model.entries.length
    await expect.poll(entries).toBeGreaterThan(20)
    interrupt()
    expect(await ended).toBe(0)
  })

  it('pins, annotates and undoes in a stored session, and nowhere else', async () => {
    const store = newTestStore()
    await store.done('import', 'session.jsonl')
    await store.done('compact', 'made')
    const setting = { cwd: store.directory, env: { THROUGHLINE_STORE: store.file } }
    const { report, post, end } = await viewed(['made'], setting)
    expect((await report()).live).toEqual({ stored: true })
    expect((await post('pin', { ref: '1' })).status).toBe(200)
    expect((await post('annotate', { of: 2, text: ' Look here. ' })).status).toBe(200)
    const noted = (await report()).model
    expect(noted.pins.map(({ text }) => text)).toEqual([expect.stringContaining('feature 1')])
    expect(noted.annotations).toMatchObject([{ of: 2, text: 'Look here.' }])
    expect((await post('unpin', { pin: noted.pins[0]?.seq })).status).toBe(200)
    expect((await post('undo', {})).status).toBe(200)
    const undone = (await report()).model
    expect(undone.pins).toEqual([])
    expect(undone.compactions.map(({ state }) => state)).toEqual(['undone'])
    const again = await post('undo', {})
    expect(again.status).toBe(409)
    expect(await again.text()).toMatch(/nothing|no compaction|undo/i)
    for (const [name, body] of [
      ['pin', { ref: 'x' }],
      ['pin', { ref: '99999' }],
      ['annotate', { of: 0, text: 'x' }],
      ['annotate', { of: 99_999, text: 'x' }],
      ['annotate', { of: 1, text: ' ' }],
      ['unpin', { pin: 1 }],
    ] as const) {
      expect((await post(name, body)).status, name).toBe(409)
    }
    await end()
  })

  it('changes nothing for another page, and nothing that it does not know', async () => {
    const store = newTestStore()
    await store.done('import', 'session.jsonl')
    const setting = { cwd: store.directory, env: { THROUGHLINE_STORE: store.file } }
    const { post, end } = await viewed(['made'], setting)
    const before = (await store.read('made')).length
    const body = { of: 1, text: 'x' }
    expect((await post('annotate', body, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await post('annotate', body, { origin: 'null' })).status).toBe(403)
    expect((await post('annotate', body, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await post('annotate', '{')).status).toBe(413)
    expect((await post('annotate', { of: 1, text: 'x'.repeat(70_000) })).status).toBe(413)
    expect((await post('delete', body)).status).toBe(404)
    expect((await post('__proto__', body)).status).toBe(404)
    expect(await store.read('made')).toHaveLength(before)
    await end()
  })

  it.each([
    [['-'], 2, 'a session that is followed needs a file'],
    [['s.jsonl', '--port', 'x'], 2, '--port must be a whole number'],
    [['none.jsonl'], 1, 'there is no such file'],
  ])('refuses %j', async (argv, code, message) => {
    const ran = await runMain(['report', '--serve', ...argv], { cwd: newDirectory() })
    expect(ran.code).toBe(code)
    expect(ran.err).toContain(message)
  })

  it('says so when the port is taken', async () => {
    const cwd = newDirectory()
    writeFileSync(join(cwd, 's.jsonl'), session)
    const { url, end } = await viewed(['s.jsonl'], { cwd })
    const { code, err } = await runMain(
      ['report', '--serve', 's.jsonl', '--port', new URL(url).port],
      { cwd },
    )
    expect(code).toBe(1)
    expect(err).toMatch(/port \d+ of this machine cannot be used: it is in use/)
    await end()
  })
})
