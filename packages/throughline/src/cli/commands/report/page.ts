import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, CommandError } from '../../errors.ts'
import { escapedJson } from '../../output/target.ts'
import { packageFolder } from '../../installed/place.ts'
import type { MachineReport } from '../../../report/machine.ts'
import type { Report } from './report-for.ts'

/** What the page about all sessions of a machine shows. */
export interface MachinePageData {
  machine: MachineReport
}

/** Where the build leaves a place for the data. */
const dataPlace = '<!-- data -->'

/**
 * The page as the build made it, without a session.
 * @throws CommandError if it is not there.
 */
export async function pageAsset(): Promise<string> {
  const file = join(packageFolder(), 'dist', 'report-page.html')
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new CommandError(
      `this installation is incomplete: ${file} cannot be read (${codeOf(error)}). Install it again, or run "npm run build" in its repository.`,
      { cause: error },
    )
  }
}

/** The page with a session, or all of them, in it. */
export function pageWith(asset: string, data: Report | MachinePageData): string {
  const element = `<script type="application/json" id="report-data">${dataText(data)}</script>`
  return asset.replace(dataPlace, () => element)
}

/** JSON that ends no element, opens no comment and changes no direction. */
function dataText(data: Report | MachinePageData): string {
  return escapedJson(JSON.stringify(data)).replaceAll('<', '\\u003c')
}
