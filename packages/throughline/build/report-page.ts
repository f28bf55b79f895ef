import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { rolldown, type OutputChunk } from 'rolldown'
import { packageFolder } from './entries.ts'

const folder = join(packageFolder, 'report-page')

/** The page of `throughline report` without a session, and what is in it. */
export interface ReportPage {
  html: string
  moduleIds: string[]
}

/**
 * Makes the page as one file. Its policy allows this script and this style, by their hashes, and
 * nothing else: no other script, no request, no text that becomes HTML.
 */
export async function reportPage(): Promise<ReportPage> {
  const { code, moduleIds } = await script()
  const style = styleSheet()
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(code)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data:',
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  const html = readFileSync(join(folder, 'page.html'), 'utf8')
    .replace('POLICY', policy)
    .replace('<!-- style -->', () => `<style>${style}</style>`)
    .replace('<!-- script -->', () => `<script>${code}</script>`)
  return { html, moduleIds }
}

async function script(): Promise<OutputChunk> {
  const bundle = await rolldown({
    cwd: packageFolder,
    platform: 'browser',
    input: join(folder, 'main.tsx'),
  })
  const { output } = await bundle.generate({ format: 'iife', minify: true, codeSplitting: false })
  const [chunk, ...others] = output
  if (chunk?.type !== 'chunk' || others.length > 0) throw new Error('The page is not one script.')
  const code = chunk.code.trim()
  // It would end the script, or hide its end.
  if (/<\/script|<!--/i.test(code)) throw new Error('The page’s script holds the end of a script.')
  return { ...chunk, code }
}

function styleSheet(): string {
  const { resolve } = createRequire(import.meta.url)
  const files = [resolve('uplot/dist/uPlot.min.css'), join(folder, 'page.css')]
  return files
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/\s*\n\s*/g, '\n')
    .trim()
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
