import { describe, expect, it } from 'vitest'
import {
  assistant,
  call,
  harness,
  human,
  logFrom,
  result,
  step,
  tool,
} from '../src/testing/generate/build.ts'
import { compactLog } from '../src/session/once/compact-log.ts'
import { draftOf, type EntryDraft } from '../src/log/entry.ts'
import {
  builtPage,
  chromiumMissing,
  chromiumPath,
  dataOf,
  opened,
  violationsIn,
  type Watched,
} from './testing/browser.ts'
import type { Report } from '../src/cli/commands/report/report-for.ts'

const rule = 'Never touch config/prod.ts.'

/** A session of some turns, the first half of which was compacted by our own summary. */
async function compacted(): Promise<Report> {
  const turn = (number: number): EntryDraft[] => [
    human(number === 0 ? `${rule} Please make part 0 work.` : `Please make part ${number} work.`),
    ...Array.from({ length: 10 }, (_, at) =>
      step(
        `c${number}-${at}`,
        at % 2 === 0 ? 'Read' : 'Edit',
        { file_path: `/w/src/part${number}/file${at}.ts`, old_string: 'a', new_string: 'b' },
        `\u001b[32mok\u001b[0m ${'value '.repeat(1500)}`,
      ),
    ).flat(),
    assistant(`Part **${number}** works now, see [the docs](https://example.com/docs).`, {
      usage: { inputTokens: 30_000 + number * 16_000, outputTokens: 400, cacheReadTokens: 15_000 },
    }),
  ]
  const first = logFrom([0, 1, 2, 3].map(turn))
  const { log } = await compactLog(first, {
    window: { context: 60_000 },
    trigger: 'manual',
    now: 5,
  })
  return dataOf(logFrom([...log.map(draftOf), ...[4, 5, 6].map(turn)]), {
    prices: { input: 3, output: 15 },
  })
}

/** The number of the request that the readout tells about. */
async function requestRead({ page }: Watched): Promise<number> {
  return Number(await page.locator('.readout').getAttribute('data-request'))
}

describe.skipIf(!chromiumPath)(chromiumPath ? 'the page in a browser' : chromiumMissing, () => {
  it('is one file that fetches nothing and breaks no policy of its own', async () => {
    const watched = await opened(await compacted())
    expect(watched.requests).toHaveLength(1)
    expect(watched.errors).toEqual([])
    expect((await builtPage()).length).toBeLessThan(400_000)
  })

  it('answers at its top what fills the window, what it cost, what is forgotten and what stands', async () => {
    const data = await compacted()
    const { page } = await opened(data)
    const text = await page.locator('.answers').innerText()
    expect(text).toContain(`of ${data.model.window.usable.toLocaleString('en-US')} usable tokens`)
    const all = data.model.money.dollars ?? 0
    expect(text).toContain(`$${all.toFixed(2)}`)
    expect(text).toContain('What the newest compaction forgot')
    expect(text).toMatch(/1 of 1 rule word for word/)
    expect(await page.locator('.to-do').innerText()).toContain('throughline resume made')
  })

  it('tells the step that is pointed at', async () => {
    const data = await compacted()
    const watched = await opened(data)
    const over = watched.page.locator('.u-over')
    const box = await over.boundingBox()
    if (!box) throw new Error('no chart')
    const count = data.model.requests.seq.length
    for (const share of [0.1, 0.5, 0.9]) {
      await over.hover({ position: { x: box.width * share, y: 50 } })
      const expected = 1 + share * (count - 1)
      await expect
        .poll(async () => Math.abs((await requestRead(watched)) - expected))
        .toBeLessThanOrEqual(1)
      const request = await requestRead(watched)
      const tokens = Math.round(data.model.requests.tokens[request - 1] ?? 0)
      expect(await watched.page.locator('.readout').innerText()).toContain(
        `${tokens.toLocaleString('en-US')} tokens`,
      )
    }
  })

  it('zooms in where somebody drags, and out again', async () => {
    const data = await compacted()
    const watched = await opened(data)
    const { page } = watched
    const count = data.model.requests.seq.length
    await page.locator('.plot').scrollIntoViewIfNeeded()
    const box = await page.locator('.u-over').boundingBox()
    if (!box) throw new Error('no chart')
    const at = (share: number): [number, number] => [box.x + box.width * share, box.y + 60]
    await page.mouse.move(...at(0.5))
    await page.mouse.down()
    await page.mouse.move(...at(0.6), { steps: 4 })
    await page.mouse.up()
    const showAll = page.getByRole('button', { name: /Show all/ })
    await expect.poll(() => showAll.count()).toBe(1)
    // The chart may be drawn again behind the pointer's back: it is moved until the page has followed.
    const pointedAt = async (share: number): Promise<number> => {
      await page.mouse.move(...at(share + 0.01))
      await page.mouse.move(...at(share))
      return requestRead(watched)
    }
    // The left edge is the middle of the session now.
    await expect.poll(() => pointedAt(0.02)).toBeGreaterThan(count * 0.45)
    await showAll.click()
    await expect.poll(() => pointedAt(0.02)).toBeLessThan(count * 0.1)
  })

  it('can be walked through by keyboard, from the chart into the log', async () => {
    const data = await compacted()
    const watched = await opened(data)
    const { page } = watched
    const plot = page.locator('.plot')
    await plot.focus()
    await page.keyboard.press('Home')
    await expect.poll(() => requestRead(watched)).toBe(1)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => plot.getAttribute('aria-valuenow')).toBe('3')
    expect(await plot.getAttribute('aria-valuetext')).toMatch(/^Request 3: [\d,]+ tokens/)
    await page.keyboard.press('+')
    await expect.poll(() => page.getByRole('button', { name: /Show all/ }).count()).toBe(1)
    await expect.poll(() => requestRead(watched)).toBe(3)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('button', { name: /Show all/ }).count()).toBe(0)
    await expect.poll(() => requestRead(watched)).toBe(3)
    await page.keyboard.press('Enter')
    const seq = data.model.requests.seq[2]
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe(`e${seq}`)
  })

  it('leads from a line of the summary to the entry that it rests on', async () => {
    const { page } = await opened(await compacted())
    const evidence = page.locator('.lines .evidence').first()
    const ref = await evidence.innerText()
    await evidence.click()
    const seq = Number.parseInt(ref, 10)
    const entry = page.locator(`[data-seq="${seq}"]`).first()
    await expect.poll(() => entry.isVisible()).toBe(true)
    await expect.poll(() => new URL(page.url()).hash).toBe(`#e${seq}`)
    await expect
      .poll(async () => {
        const box = await entry.boundingBox()
        return box !== null && box.y >= 0 && box.y < 900
      })
      .toBe(true)
  })

  it('shows before and after side by side, each message marked with what became of it', async () => {
    const data = await compacted()
    const { page } = await opened(data)
    const { rows = [] } = data.model.compactions[0]?.detail ?? {}
    const legend = await page.locator('.before-after .legend').first().innerText()
    for (const fate of ['summarized', 'kept'] as const) {
      const count = rows.filter((row) => row.fate === fate).length
      expect(legend).toMatch(new RegExp(`${fate}\\s+${count}\\b`))
    }
    const sides = page.locator('.side-by-side').first().locator('> div')
    const [left, right] = [await sides.nth(0).boundingBox(), await sides.nth(1).boundingBox()]
    expect(left?.y).toBe(right?.y)
    expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0))
  })

  it('finds words anywhere in the session, opens what holds them, and marks them', async () => {
    const { page } = await opened(await compacted())
    await page.keyboard.press('/')
    await page.keyboard.type('part5/file3')
    await expect.poll(() => page.locator('[role=option]').count()).toBeGreaterThan(0)
    const seq = Number(await page.locator('[role=option] .seq').first().innerText())
    await page.keyboard.press('Enter')
    const entry = page.locator(`article[data-seq="${seq}"]`)
    await expect.poll(() => entry.isVisible()).toBe(true)
    const marked = (): Promise<number> =>
      page.evaluate(() => CSS.highlights.get('found')?.size ?? 0)
    await expect.poll(marked).toBeGreaterThan(0)
    await expect.poll(() => entry.locator('details[open]').count()).toBeGreaterThan(0)
    await page.locator('input[type=search]').fill('nobody ever said this')
    await expect.poll(() => page.locator('.hits').innerText()).toContain('It occurs nowhere.')
  })

  it('folds calls until somebody opens them, and shows Markdown and colours', async () => {
    const { page } = await opened(await compacted())
    await page.goto(`${page.url()}#log`)
    const fold = page.locator('#log details.folded').first()
    expect(await fold.locator('pre').count()).toBe(0)
    await fold.locator('summary').click()
    expect(await fold.locator('pre .ansi-green').first().innerText()).toBe('ok')
    expect(await page.locator('#log .prose strong').count()).toBeGreaterThan(0)
    const link = page.locator('#log .prose a').first()
    expect(await link.getAttribute('href')).toBe('https://example.com/docs')
    expect(await link.getAttribute('rel')).toContain('noreferrer')
  })

  it('shows only a part of the log if asked, and all of it again for a jump', async () => {
    const { page } = await opened(await compacted())
    await page.getByRole('button', { name: 'Compactions and notes' }).click()
    await expect.poll(() => page.locator('#log .what-human').count()).toBe(0)
    expect(await page.locator('#log article').count()).toBeGreaterThan(0)
    await page.locator('.readout a').click()
    await expect.poll(() => page.locator('#log .what-human').count()).toBeGreaterThan(0)
  })

  it('follows the system into the dark, and the reader where they want', async () => {
    const data = await compacted()
    const ground = ({ page }: Watched): Promise<string> =>
      page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const light = await opened(data, { scheme: 'light' })
    const dark = await opened(data, { scheme: 'dark' })
    expect(await ground(light)).not.toBe(await ground(dark))
    await light.page.getByRole('button', { name: /Colours: auto/ }).click()
    await light.page.getByRole('button', { name: /Colours: light/ }).click()
    await expect.poll(() => ground(light)).toBe(await ground(dark))
  })

  it.each([400, 1600])('fits %i pixels without scrolling sideways', async (width) => {
    const { page } = await opened(await compacted(), { width })
    for (const details of await page.locator('main > section details').all()) {
      await details.evaluate((element) => void ((element as HTMLDetailsElement).open = true))
    }
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  })

  it('shows the end of a path where its beginning does not fit', async () => {
    const data = await compacted()
    const [newest] = data.model.compactions.flatMap(({ detail }) => detail ?? [])
    newest?.forgot.read.push({ name: `/home/me/${'deep/'.repeat(30)}one.ts`, seq: 2 })
    const { page } = await opened(data, { width: 400 })
    const end = page.locator('.names .end', { hasText: '/deep/one.ts' }).first()
    const edges = () => end.evaluate((element) => element.getBoundingClientRect().right)
    await expect.poll(edges).toBeLessThan(400)
    const start = page.locator('.names .start', { hasText: '/home/me/deep/' }).first()
    await expect.poll(() => start.evaluate((e) => e.scrollWidth > e.clientWidth)).toBe(true)
  })

  it.each(['light', 'dark'] as const)('meets WCAG AA in %s colours', async (scheme) => {
    for (const width of [400, 1600]) {
      const { page } = await opened(await compacted(), { scheme, width, bypassCSP: true })
      await page.locator('#log details.folded').first().locator('summary').click()
      expect(await violationsIn(page)).toEqual([])
    }
  })

  it('of a session that nobody compacted shows a plan, and says that it is one', async () => {
    const log = logFrom([
      human(`${rule} Go.`),
      Array.from({ length: 40 }, (_, at) =>
        step(`c${at}`, 'Read', { file_path: `/w/f${at}.ts` }, 'some text '.repeat(300)),
      ),
    ])
    const { page } = await opened(await dataOf(log))
    const plan = page.locator('#next')
    expect(await plan.innerText()).toMatch(/Plan[^]*If it were compacted now[^]*nothing was done/)
    expect(await plan.locator('.lines .evidence').count()).toBeGreaterThan(0)
  })

  it('is drawn with ten thousand entries, and answers at any of them', async () => {
    const log = logFrom(
      Array.from({ length: 5000 }, (_, at) =>
        step(`c${at}`, 'Read', { file_path: `/w/f${at % 50}.ts` }, `line ${at}`),
      ),
    )
    const watched = await opened(await dataOf(log))
    const { page } = watched
    const over = page.locator('.u-over')
    const box = await over.boundingBox()
    await over.hover({ position: { x: (box?.width ?? 0) / 2, y: 40 } })
    await expect.poll(async () => Math.abs((await requestRead(watched)) - 2500)).toBeLessThan(10)
    // Most of the log is not drawn before somebody goes there.
    expect(await page.locator('#log article').count()).toBeLessThan(300)
    await page.evaluate(() => void (location.hash = '#e9999'))
    await expect.poll(() => page.locator('article[data-seq="9999"]').isVisible()).toBe(true)
    expect(watched.errors).toEqual([])
  })
})

describe.skipIf(!chromiumPath)('a hostile session', () => {
  const attacks = [
    '<script>window.pwned = 1</script>',
    '</script><script>window.pwned = 1</script>',
    '<!-- <script>window.pwned = 1</script>',
    '<img src=x onerror="window.pwned = 1">',
    '<svg onload="window.pwned = 1"><iframe srcdoc="<script>parent.pwned=1</script>">',
    '[click](javascript:window.pwned=1) ![x](javascript:window.pwned=1)',
    '[click](JaVaScRiPt:window.pwned=1) [d](data:text/html,<script>1</script>) [v](vbscript:x)',
    '[a](https://example.com"onmouseover="window.pwned=1)',
    '\u001b]8;;javascript:window.pwned=1\u0007link\u001b]8;;\u0007 \u001b[31mred\u001b[0m',
    '\u202egnp.exe\u2066x\u2069 \u0000\u0008\u009b',
    '{{constructor.constructor("window.pwned=1")()}} ${window.pwned=1} __proto__ $& $1 $`',
    '&lt;script&gt; &#60;script&#62; <style>*{display:none}</style> <base href="//evil.example">',
  ]

  const hostileLog = () =>
    logFrom([
      human(attacks.join('\n\n')),
      ...attacks.flatMap((attack, at) => [
        assistant([
          { type: 'reasoning', text: attack },
          {
            type: 'text',
            text: `- ${attack}\n> ${attack}\n\n| a | b |\n| - | - |\n| ${attack} | x |\n\n# ${attack}`,
          },
          call(`c${at}${attack}`, `Read${attack}`, { file_path: attack, [attack]: attack }),
        ]),
        tool(result(`c${at}${attack}`, `Read${attack}`, attack)),
      ]),
      harness(attacks.join(' ')),
      {
        kind: 'checkpoint',
        at: 0,
        base: 1,
        summary: attacks.join('\n'),
        summarizer: attacks[0] ?? '',
        tail: [],
        continuation: null,
        metadata: { trigger: attacks[3] ?? '' },
      },
      human(`A line of a megabyte: ${'<b>x</b>'.repeat(130_000)}`),
    ])

  it('runs nothing, fetches nothing and reverses no text, folded or open', async () => {
    const data = await dataOf(hostileLog(), { windowFrom: attacks[1] ?? '' })
    data.model.session.name = attacks[1] ?? ''
    data.model.session.directory = attacks[3] ?? ''
    data.toDo = attacks.map((attack) => ({ command: attack, does: attack }))
    const { page, errors, requests } = await opened(data)
    for (let round = 0; round < 3; round++) {
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true
        for (const button of document.querySelectorAll<HTMLElement>('button.more')) button.click()
      })
    }
    await page.locator('input[type=search]').fill('<script>')
    await expect.poll(() => page.locator('[role=option]').count()).toBeGreaterThan(3)
    const found = await page.evaluate(() => ({
      pwned: 'pwned' in window,
      scripts: document.querySelectorAll('script').length,
      others: document.querySelectorAll(
        '#page :is(img, iframe, base, object, embed, style, link, svg:not(.bar))',
      ).length,
      handlers: [...document.querySelectorAll('*')].filter((element) =>
        element.getAttributeNames().some((name) => name.startsWith('on')),
      ).length,
      links: [...document.querySelectorAll('a')]
        .map((link) => link.protocol)
        .filter((protocol) => !['file:', 'https:', 'http:', 'mailto:'].includes(protocol)),
      odd: /[^]{0,40}[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.exec(
        document.querySelector('#page')?.textContent ?? '',
      )?.[0],
      shown: document.querySelector('#page')?.textContent?.includes('onerror="window.pwned'),
    }))
    expect(found).toEqual({
      pwned: false,
      scripts: 2,
      others: 0,
      handlers: 0,
      links: [],
      odd: undefined,
      shown: true,
    })
    expect(errors).toEqual([])
    expect(requests).toHaveLength(1)
  })

  it('could run nothing even if a text became HTML', async () => {
    const { page } = await opened(await dataOf(hostileLog()))
    const refused = await page.evaluate(() => {
      try {
        document.body.innerHTML = '<img src=x onerror="window.pwned=1">'
        return 'it was taken'
      } catch (error) {
        return String(error)
      }
    })
    expect(refused).toContain('TrustedHTML')
  })
})
