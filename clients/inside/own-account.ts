import { runThroughline } from './install-throughline.ts'

interface Account {
  throughline: string
  home: string
  /** The client, as its format is called. */
  name: string
  /** How many requests for a summary the provider was sent. */
  asked: number
  /** How many of the client’s own summaries may be untold: it tells of them with the next request. */
  toldAfter?: number
  /** Whether what is installed is whole. */
  isWhole: boolean
}

interface Told {
  clients: {
    client: string
    tried?: { path: string; problem?: string }[]
    did?: { compactions: number; by: Record<string, number>; calls: Record<string, number> }
  }[]
}

/**
 * What `throughline doctor` and `throughline status` say of a client, against what the provider
 * has seen: every path answers, and no summary is called the model's that no model was asked for.
 */
export async function accountProblems(account: Account): Promise<string[]> {
  const { name, asked, toldAfter = 0, isWhole } = account
  const [doctor, status] = [await told(account, 'doctor'), await told(account, 'status')]
  const problems: string[] = []
  const tried = doctor?.tried ?? []
  if (isWhole && tried.length === 0) problems.push('doctor tried nothing')
  for (const { path, problem } of tried) {
    if (isWhole && problem !== undefined) problems.push(`doctor: ${path}: ${problem}`)
  }
  const { by = {}, calls = {}, compactions = 0 } = status?.did ?? {}
  const { client: own = 0, 'client-model': byOurs = 0 } = by
  if (byOurs > asked) {
    problems.push(`status of ${name}: ${byOurs} summaries by a model that was asked ${asked} times`)
  }
  const said = Object.values(calls).reduce((sum, each) => sum + each, own)
  if (compactions > 0 && asked > said + toldAfter) {
    problems.push(`status of ${name}: ${said} requests for a summary, and ${asked} were made`)
  }
  return problems
}

async function told(
  { throughline, home, name }: Account,
  command: string,
): Promise<Told['clients'][number] | undefined> {
  const printed = await runThroughline(throughline, home, [command, '--json']).catch(
    // It ends with a failure where something is wrong, and says so all the same.
    (error: unknown) => String((error as { stdout?: unknown }).stdout ?? ''),
  )
  const { clients } = JSON.parse(printed) as Told
  return clients.find(({ client }) => client === name)
}
