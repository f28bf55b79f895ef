import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cacheFolder, installPackage } from '../install.ts'
import { runThroughline } from './install-throughline.ts'
import type { PluginRecord } from './check.ts'
import type { ScriptedAgent } from './agent.ts'

/** Another plugin that changes what the model of opencode sees, as npm has it. */
const dcp = { name: 'opencode-dcp', package: '@tarquinen/opencode-dcp', version: '3.1.14' }
const file = join(dcp.package, 'dist/index.js')
const aside = 'DCP is installed, too'
/** What only it offers to the agent. */
const ownTool = 'compress'

export function installRival(): Promise<string> {
  return installPackage(dcp, file)
}

/** How opencode is told to load it. */
export function rivalPlugin(): string {
  const path = join(cacheFolder, `${dcp.name}-${dcp.version}`, 'node_modules', file)
  return pathToFileURL(path).href
}

/** Beside a rival, Throughline steps aside, and says so. */
export async function rivalProblems(
  { requests }: Pick<ScriptedAgent, 'requests'>,
  records: readonly PluginRecord[],
  { throughline, home }: { throughline: string; home: string },
): Promise<string[]> {
  const problems: string[] = []
  if (!requests.some(({ tools }) => tools.includes(ownTool)))
    problems.push('the rival is not loaded')
  if (requests.some(({ tools }) => tools.includes('recall') && tools.includes('pin'))) {
    problems.push('the agent has our tools beside those of the rival')
  }
  if (records.some(({ event }) => event === 'compaction')) problems.push('both were at work')
  if (!records.some((each) => each.event === 'step-aside' && each.reason === aside)) {
    problems.push('it did not step aside')
  }
  const status = (await runThroughline(throughline, home, ['status'])).replace(/\s+/g, ' ')
  if (!status.includes(aside)) problems.push(`status does not say who steps aside: ${status}`)
  const again = await runThroughline(throughline, home, ['install', 'opencode']).then(
    () => 'installed',
    (error: unknown) => String((error as { stderr?: unknown }).stderr),
  )
  if (!again.includes('DCP')) problems.push(`install does not refuse: ${again}`)
  return problems
}
