import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { markdownOf } from './markdown.ts'
import { pageOf } from './page/page.ts'
import type { Figures } from './figures.ts'

/** Writes the page, the tables and the figures that both are made from. */
export async function writeReport(figures: Figures, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'index.html'), pageOf(figures))
  await writeFile(join(folder, 'report.md'), markdownOf(figures))
  await writeFile(join(folder, 'figures.json'), `${JSON.stringify(figures)}\n`)
}
