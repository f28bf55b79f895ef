import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { main } from '../src/cli/main.ts'
import { capturedIo, type Setting } from '../src/cli/testing/captured-io.ts'
import { claudeSession } from '../src/cli/testing/claude-session.ts'
import { newTestStore } from '../src/cli/testing/new-store.ts'
import { newDirectory } from '../src/cli/testing/run-main.ts'
import { chromiumMissing, chromiumPath, visited, type Watched } from './testing/browser.ts'

const hasPage = existsSync(new URL('../dist/report-page.html', import.meta.url))

/** The page as the command serves it, in a browser. */
async function viewed(
  session: string,
  setting: Setting,
): Promise<Watched & { url: string; end: () => Promise<number> }> {
  const { io, out, interrupt } = capturedIo(setting)
  const ended = main(['report', '--serve', session], io)
  await expect.poll(out).toMatch(/^http:/)
  const watched = await visited(out().trim())
  return {
    ...watched,
    url: out().trim(),
    end: () => {
      interrupt()
      return ended
    },
  }
}

describe.skipIf(!chromiumPath || !hasPage)(
  chromiumPath ? 'a session that is viewed' : chromiumMissing,
  () => {
    it('shows what is new in it without being asked', async () => {
      const cwd = newDirectory()
      const file = join(cwd, 's.jsonl')
      const lines = claudeSession({ turns: 6, steps: 4 }).split('\n')
      writeFileSync(file, lines.slice(0, 20).join('\n'))
      const { page, errors, end } = await viewed('s.jsonl', { cwd })
      const badge = page.locator('.top .badge')
      await expect.poll(() => badge.innerText()).toBe('live')
      const count = (): Promise<number> =>
        page.locator('.plot').getAttribute('aria-valuemax').then(Number)
      const before = await count()
      appendFileSync(file, lines.slice(20).join('\n'))
      await expect.poll(count).toBeGreaterThan(before)
      expect(errors).toEqual([])
      // There is nothing to change in a file.
      expect(await page.getByRole('button', { name: 'Pin' }).count()).toBe(0)
      await end()
      await expect.poll(() => badge.innerText()).toBe('not connected')
    })

    it('shows what came before its page was connected', async () => {
      const cwd = newDirectory()
      const file = join(cwd, 's.jsonl')
      const lines = claudeSession({ turns: 6, steps: 4 }).split('\n')
      writeFileSync(file, lines.slice(0, 20).join('\n'))
      const { page, url, end } = await viewed('s.jsonl', { cwd })
      let connect: () => void = () => {}
      const held = new Promise<void>((resolve) => (connect = resolve))
      await page.route('**/events', async (route) => {
        await held
        await route.continue()
      })
      await page.reload()
      const count = (): Promise<number> =>
        page.locator('.plot').getAttribute('aria-valuemax').then(Number)
      const before = await count()
      const size = async (): Promise<number> =>
        (await (await fetch(`${url}report.json`)).text()).length
      const old = await size()
      appendFileSync(file, lines.slice(20).join('\n'))
      await expect.poll(size).toBeGreaterThan(old)
      expect(await count()).toBe(before)
      connect()
      await expect.poll(count).toBeGreaterThan(before)
      await end()
    })

    it('that is stored is pinned, annotated and undone by its buttons', async () => {
      const store = newTestStore()
      await store.done('import', 'session.jsonl')
      await store.done('compact', 'made')
      const { page, errors, end } = await viewed('made', {
        cwd: store.directory,
        env: { THROUGHLINE_STORE: store.file },
      })
      const first = page.locator('article[data-seq="1"]')
      await first.getByRole('button', { name: 'Note' }).click()
      await first.getByRole('textbox').fill('It begins <b>here</b>.')
      await page.keyboard.press('Enter')
      await expect
        .poll(() => first.locator('.annotation').allInnerTexts())
        .toEqual(['It begins <b>here</b>.'])
      await first.getByRole('button', { name: 'Pin' }).click()
      const pins = async (): Promise<number> =>
        (await store.read('made')).filter(({ kind }) => kind === 'pin').length
      await expect.poll(pins).toBe(1)
      await expect.poll(() => first.locator('.badge').allInnerTexts()).toContain('pinned')
      await first.getByRole('button', { name: 'Unpin' }).click()
      await expect
        .poll(() => first.getByRole('button', { name: 'Pin', exact: true }).count())
        .toBe(1)
      expect((await store.read('made')).some(({ kind }) => kind === 'unpin')).toBe(true)
      await page.getByRole('button', { name: 'Undo the newest compaction' }).click()
      await expect.poll(() => page.locator('.compaction .badge').first().innerText()).toBe('undone')
      expect((await store.read('made')).some(({ kind }) => kind === 'rewind')).toBe(true)
      expect(errors).toEqual([])
      await end()
    })
  },
)
