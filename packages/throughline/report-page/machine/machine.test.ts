import { describe, expect, it } from 'vitest'
import { chromiumMissing, chromiumPath, opened, violationsIn } from '../testing/browser.ts'
import { kinds, type KindTokens } from '../../src/report/model.ts'
import type { MachineReport, MachineSession } from '../../src/report/machine.ts'

const hour = 3_600_000
const start = Date.UTC(2026, 0, 5)

function session(number: number): MachineSession {
  const full = number % 10 === 0
  return {
    name: `claude:${String(number).padStart(8, '0')}-0000`,
    client: number % 3 === 0 ? 'codex' : 'claude-code',
    title: `Fix part ${number} <img src=x onerror=alert(1)>\u202e`,
    directory: `/code/project-${number % 7}`,
    model: 'claude-opus-4-5',
    from: start + number * hour,
    to: start + (number + 1) * hour,
    written: start + (number + 1) * hour,
    requests: 40,
    tokens: full ? 150_000 : 40_000,
    counted: true,
    usable: 160_000,
    sent: { input: 10_000, cacheRead: 900_000, cacheWrite: 50_000, output: 20_000 },
    dollars: 1 + number / 100,
    unpriced: 0,
    kinds: Object.fromEntries(kinds.map((kind) => [kind, 0.1])) as KindTokens,
    days: { [new Date(start + number * hour).toISOString().slice(0, 10)]: 1 + number / 100 },
    compactions: full
      ? [
          {
            at: start + number * hour,
            by: 'claude-code',
            before: 155_000,
            after: 30_000,
            rules: ['Never push to the remote.'],
            changed: ['src/lexer.ts'],
            others: 3,
          },
        ]
      : [],
    rules: [{ text: `Never touch part ${number % 4}.`, at: start }],
  }
}

function machineOf(count: number): { machine: MachineReport } {
  const sessions = Array.from({ length: count }, (_, number) => session(number))
  return { machine: { version: 1, made: start, sessions, unreadable: [] } }
}

describe.skipIf(!chromiumPath)(chromiumPath ? 'the page of a machine' : chromiumMissing, () => {
  it('fetches nothing, runs no text of a session, and shows all of them', async () => {
    const { page, errors, requests } = await opened(machineOf(40))
    expect({ errors, requests: requests.length }).toEqual({ errors: [], requests: 1 })
    expect(await page.locator('h1').innerText()).toBe('Sessions on this machine')
    expect(await page.locator('tbody tr').count()).toBe(40)
    expect(await page.locator('.full li').count()).toBe(4)
    expect(await page.locator('.lost li.card').count()).toBe(4)
    expect(await page.locator('img').count()).toBe(0)
  })

  it('shows only what has the words that are searched, in every part', async () => {
    const { page } = await opened(machineOf(40))
    await page.fill('input[type=search]', 'codex project-3')
    const names = await page.locator('tbody th code').allInnerTexts()
    expect(names.length).toBeGreaterThan(0)
    expect(names.every((name) => Number(name.slice(7, 15)) % 21 === 3)).toBe(true)
    expect(await page.locator('.title p').innerText()).toContain(`${names.length} of 40 sessions`)
  })

  it('sorts by what is clicked', async () => {
    const { page } = await opened(machineOf(40))
    await page.getByRole('button', { name: 'Cost' }).click()
    expect(await page.locator('tbody th code').first().innerText()).toContain('00000039')
    expect(await page.locator('th[aria-sort=descending]').innerText()).toContain('Cost')
  })

  it('shows 2,000 sessions in pieces, so that it opens at once', async () => {
    const { page, errors } = await opened(machineOf(2000))
    expect(errors).toEqual([])
    expect(await page.locator('tbody tr').count()).toBe(100)
    await page.getByRole('button', { name: '1,900 more sessions' }).click()
    expect(await page.locator('tbody tr').count()).toBe(200)
  })

  it.each(['light', 'dark'] as const)('meets WCAG AA in %s colours', async (scheme) => {
    for (const width of [400, 1600]) {
      const { page } = await opened(machineOf(40), { scheme, width, bypassCSP: true })
      expect(await violationsIn(page)).toEqual([])
      const scrolled = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(scrolled).toBeLessThanOrEqual(width)
    }
  })
})
