import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll } from 'vitest'
import { reportPage } from '../../build/report-page.ts'
import { defaultPolicy } from '../../src/compaction/policy.ts'
import { pageWith, type MachinePageData } from '../../src/cli/commands/report/page.ts'
import type { Report } from '../../src/cli/commands/report/report-for.ts'
import { reportOf, type ReportOptions } from '../../src/report/report-of.ts'
import type { Chronological } from '../../src/log/order.ts'

const places = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** A browser of this machine; tests of the page need one. */
export const chromiumPath = places.find((path) => path !== undefined && existsSync(path))

export const chromiumMissing =
  'the page in a browser (skipped: there is no Chromium. Install the package chromium, or name its program in CHROMIUM)'

if (chromiumPath === undefined) console.warn(chromiumMissing)

let running: Promise<Browser> | undefined
// Each test file that runs in this process has its own.
let folder: string | undefined

afterAll(async () => {
  await (await running)?.close()
  running = undefined
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  folder = undefined
})

// Milliseconds: a browser on a busy machine takes longer than Playwright’s half minute.
const patience = 300_000

function browser(): Promise<Browser> {
  // Root has no sandbox of its own in a container.
  running ??= chromium.launch({
    executablePath: chromiumPath ?? '',
    timeout: patience,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  return running
}

let asset: Promise<string> | undefined

/** The page as it is built, without a session. */
export function builtPage(): Promise<string> {
  asset ??= reportPage().then(({ html }) => html)
  return asset
}

/** What a page shows of a log. */
export async function dataOf(
  log: Chronological,
  options: Partial<ReportOptions> = {},
): Promise<Report> {
  const session = { log, facts: {}, name: 'made', format: 'throughline', skipped: 0 }
  const window = { context: 200_000 }
  const model = await reportOf(session, {
    window,
    windowFrom: 'made',
    policy: defaultPolicy,
    ...options,
  })
  return { model, toDo: [{ command: 'throughline resume made', does: 'Go on.' }] }
}

/** What happened in a page that a careful one never does. */
export interface Watched {
  page: Page
  errors: string[]
  requests: string[]
}

export interface PageSettings {
  width?: number
  height?: number
  scheme?: 'light' | 'dark'
  /** For a checker that has to run its own script in the page. */
  bypassCSP?: boolean
}

/** What breaks WCAG AA in a page, as axe finds it; the page must bypass its policy. */
export async function violationsIn(page: Page): Promise<unknown[]> {
  await page.evaluate(
    readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
  )
  return page.evaluate(async () => {
    interface Found {
      violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[]
    }
    const { axe } = globalThis as unknown as { axe: { run: (options: object) => Promise<Found> } }
    const found = await axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    })
    return found.violations.map(({ id, nodes }) => [
      id,
      nodes
        .slice(0, 3)
        .map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`),
    ])
  })
}

let files = 0

/** Opens a page from a file, as a reader would. */
export async function opened(
  data: Report | MachinePageData,
  settings: PageSettings = {},
): Promise<Watched> {
  folder ??= mkdtempSync(join(tmpdir(), 'throughline-page-'))
  const file = join(folder, `${(files += 1)}.html`)
  writeFileSync(file, pageWith(await builtPage(), data))
  return visited(pathToFileURL(file).href, settings)
}

async function visited(
  url: string,
  { width = 1280, height = 900, scheme = 'light', bypassCSP = false }: PageSettings = {},
): Promise<Watched> {
  const context = await (
    await browser()
  ).newContext({
    viewport: { width, height },
    colorScheme: scheme,
    bypassCSP,
  })
  context.setDefaultTimeout(patience)
  const page = await context.newPage()
  const errors: string[] = []
  const requests: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())))
  page.on('dialog', (dialog) => {
    errors.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => void requests.push(request.url()))
  await page.goto(url)
  await page.waitForSelector('h1')
  return { page, errors, requests }
}
