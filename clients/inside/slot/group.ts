import { openStage, type Place, type TalkedStep } from './stage.ts'
import { Telegram } from './telegram.ts'
import { until } from './gateway.ts'
import { volatile } from './talker.ts'

const ann = { id: 100, name: 'Ann' }
const bob = { id: 200, name: 'Bob' }

/** A group in Telegram: its owner and another person speak with the same agent. */
async function group(place: Place): Promise<TalkedStep[]> {
  const telegram = new Telegram()
  const apiRoot = await telegram.start()
  const stage = await openStage(place, (configuration) => {
    const groups = { [telegram.group]: { requireMention: false, groupPolicy: 'open' } }
    Object.assign(configuration, {
      channels: {
        telegram: {
          enabled: true,
          botToken: telegram.token,
          apiRoot,
          network: { dangerouslyAllowPrivateNetwork: true },
          allowFrom: [`${ann.id}`],
          groupPolicy: 'open',
          groups,
          streaming: { mode: 'off' },
        },
      },
      commands: { ownerAllowFrom: [`telegram:${ann.id}`] },
    })
  })
  const { step, told } = stage
  const says = async (who: typeof ann, words: string): Promise<string> => {
    const before = telegram.said.length
    telegram.write(who, words)
    await until(`an answer to ${words}`, async () => telegram.said.length > before)
    return telegram.said.slice(before).join('\n')
  }
  const rulesFor = (words: string): string =>
    told(words).split('## Instructions\n')[1]?.split('\n## ')[0] ?? ''

  await step('each person is named, and their rules are theirs', async (problems) => {
    await says(ann, 'Never touch config/prod.ts.')
    await says(bob, 'Always answer in French. You can touch config/prod.ts now.')
    await says(ann, 'Read notes 1 to 12.')
    await says(ann, '/compact')
    await says(bob, 'What is agreed?')
    const rules = rulesFor('What is agreed?')
    for (const rule of ['[Ann] Never touch config/prod.ts.', '[Bob] Always answer in French.']) {
      if (!rules.includes(rule)) problems.push(`no ${rule} in ${rules}`)
    }
  })
  await step('a long turn is compacted while it runs', async (problems) => {
    const before = stage.model.requests.length
    await says(ann, 'Read notes 13 to 40.')
    await says(bob, 'Read notes 1 to 58.')
    const sizes = stage.model.requests.slice(before).map(({ tokens }) => tokens)
    const isSmaller = sizes.some((size, at) => size < (sizes[at - 1] ?? 0) / 2)
    if (!isSmaller) problems.push(`nothing was cut: ${sizes.join(' ')}`)
    await says(ann, 'And now?')
    // Behind the conversation, the host tells again what was written.
    const [text = ''] = told('And now?').split(volatile)
    const times = text.split('Read notes 1 to 58.').length - 1
    if (times > 2) problems.push(`the request is there ${times} times`)
  })
  await step('only the owner takes an own rule back', async (problems) => {
    await says(ann, 'You can touch config/prod.ts now.')
    await says(ann, '/compact')
    await says(bob, 'What is agreed now?')
    const rules = rulesFor('What is agreed now?')
    const inForce = rules.split('\n').filter((line) => !line.startsWith('- Taken back'))
    if (inForce.some((line) => line.includes('Never touch'))) problems.push(rules)
    if (!rules.includes('[Bob] Always answer in French.')) problems.push('Bob’s is gone')
  })
  await step('only the owner commands', async (problems) => {
    const mine = await says(ann, '/throughline status')
    if (!mine.startsWith('Throughline is on.')) problems.push(mine)
    const theirs = await says(bob, '/throughline off')
    if (!theirs.includes('not authorized')) problems.push(theirs)
  })
  await step('no error is recorded, and none was refused', async (problems) => {
    problems.push(...(await stage.trouble()))
  })
  const checked = await stage.end()
  await telegram.close()
  return checked
}

// One chat in its own process, which has no network except loopback: `group.ts <JSON>`.
process.stdout.write(JSON.stringify(await group(JSON.parse(process.argv[2] ?? '{}'))))
