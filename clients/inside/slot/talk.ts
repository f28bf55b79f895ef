import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { asksForSummary, volatile } from './talker.ts'
import { openStage, type Place, type TalkedStep } from './stage.ts'
import { textOf } from '../long/agent.ts'
import { until } from './gateway.ts'

const chat = 'agent:main:main'
const rule = 'Never touch config/prod.ts.'
const pinned = 'The port is 8080.'
const notification = /<task-notification>[^]*?<\/task-notification>/g
const picture = {
  type: 'image',
  mimeType: 'image/png',
  fileName: 'mast.png',
  content:
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
}
const line = 'Line 5 of notes 3 tells'

/** One chat with OpenClaw's gateway: everything that a person or an agent may do there. */
async function talk(place: Place): Promise<TalkedStep[]> {
  const stage = await openStage(place, (configuration) => {
    Object.assign(configuration.agents, { entries: { main: { default: true }, second: {} } })
    Object.assign(configuration.models.providers.scripted.models[0] ?? {}, {
      input: ['text', 'image'],
    })
  })
  /** The errors that were to be expected. */
  let known = 0
  const { gateway, model, main, asked, told, step } = stage
  const says = async (problems: string[], words: string, answer: RegExp): Promise<void> => {
    const said = await gateway.say(chat, words)
    if (!answer.test(said)) problems.push(`${words}: ${said.slice(0, 400)}`)
  }
  await step('a turn', async (problems) => {
    await says(problems, `Read notes 1 to 12. ${rule}`, /^It gave: /)
    const system = JSON.stringify(asked('Read notes 1 to 12.')?.body['system'])
    if (!system.includes('## Memory Recall')) problems.push('its memory is not heard')
  })
  await step('/throughline status', async (problems) => {
    await says(problems, '/throughline status', /Throughline is on\.\n.*tokens/)
  })
  await step('/throughline doctor', async (problems) => {
    await says(
      problems,
      '/throughline doctor',
      /The store can be written\.[^]*has told \d+ messages/,
    )
  })
  await step('throughline doctor --turn', async (problems) => {
    const said = await stage.throughline('doctor', '--turn')
    if (!/a real turn answers, in [\d,]+ ms/.test(said)) problems.push(said)
  })
  await step('/throughline pin', async (problems) => {
    await says(problems, `/throughline pin ${pinned}`, /^Pinned/)
  })
  await step('/compact FOCUS', async (problems) => {
    const before = model.requests.length
    await says(problems, '/compact the harbors', /compact/i)
    const summaries = model.requests.slice(before).filter(asksForSummary)
    if (summaries.length !== 1) problems.push(`${summaries.length} requests for a summary`)
    if (!summaries.some((one) => textOf(one).includes('the harbors'))) problems.push('no focus')
    await gateway.say(chat, 'Go on.')
    const text = told('Go on.')
    for (const words of [rule, pinned]) if (!text.includes(words)) problems.push(`no ${words}`)
    if (text.includes(line)) problems.push('nothing was cut')
  })
  await step('/throughline show', async (problems) => {
    await says(problems, '/throughline show', /The summary, made at entry[^]*## Goal/)
  })
  await step('recall', async (problems) => {
    const question = `Call throughline_recall {"words":"Line 5 of notes 3"}`
    await says(problems, question, /Line 5 of notes 3 tells/)
  })
  await step('pin by the agent', async (problems) => {
    await says(problems, 'Call throughline_pin {"text":"Ships are red."}', /It gave: [^]*Pinned/)
  })
  await step('compact by the agent', async (problems) => {
    await gateway.say(chat, 'Read notes 13 to 44.')
    const { tokens = 0 } = asked('notes 13 to 44') ?? {}
    await says(problems, 'Call throughline_compact {"focus":"the ships"}', /It gave: [^]*Requested/)
    await gateway.say(chat, 'Go on now.')
    if ((asked('Go on now.')?.tokens ?? 0) > tokens / 1.5) problems.push('it was not compacted')
    if (!told('Go on now.').includes('Ships are red.')) problems.push('the pin is lost')
  })
  await step('/throughline undo', async (problems) => {
    const { tokens = 0 } = asked('Go on now.') ?? {}
    await says(problems, '/throughline undo', /^Undone/)
    await gateway.say(chat, 'Go on again.')
    if ((asked('Go on again.')?.tokens ?? 0) < tokens * 1.5) problems.push('it was not undone')
  })
  await step('a sub-agent with its own context', async (problems) => {
    await child(problems, 'isolated', (text) => !text.includes(pinned))
  })
  await step('a sub-agent that goes on from here', async (problems) => {
    await child(problems, 'fork', (text) => text.includes(pinned) && text.includes(rule))
  })
  await step('what is said of a report', async (problems) => {
    const reported = main().findLast((one) => textOf(one).includes('subagent_announce'))
    await gateway.say(chat, 'Go on after the reports.')
    // The host joins the answer with the one before it, and commits no turn.
    const answers = (words: string): number =>
      told(words).replaceAll(notification, '').split('Understood.').length - 1
    const before = answers('Go on after the reports.')
    if (!reported) problems.push('no report came')
    await gateway.say(chat, 'Go on once more.')
    if (answers('Go on once more.') !== before + 1)
      problems.push('an answer is lost, or said twice')
  })
  await step('a picture', async (problems) => {
    const room = 'agent:main:pictures'
    const has = (words: string): boolean =>
      JSON.stringify(asked(words)?.body ?? '').includes(picture.content)
    await gateway.say(room, 'Look at this mast.', [picture])
    if (!has('Look at this mast.')) problems.push('the model never saw it')
    await gateway.say(room, 'Read notes 1 to 30.')
    if (!has('Read notes 1 to 30.')) problems.push('it is gone with the next turn')
    await gateway.say(room, '/compact')
    await gateway.say(room, 'What was in it?')
    const isNamed = /image\/png|\bimage\b/.test(told('What was in it?').split(volatile)[0] ?? '')
    if (!has('What was in it?') && !isNamed) problems.push('a compaction lost it silently')
  })
  await step('another agent of the same gateway', async (problems) => {
    const other = 'agent:second:main'
    await gateway.say(other, 'The mast of the second agent is blue.')
    await gateway.say(chat, 'Which mast?')
    if (told('Which mast?').includes('mast of the second'))
      problems.push('the first agent knows it')
    await gateway.say(other, 'And yours?')
    if (!told('And yours?').includes('mast of the second'))
      problems.push('it does not know its own')
  })
  await step('a store that another process holds', async (problems) => {
    const store = new DatabaseSync(join(place.home, '.local/share/throughline/clients/openclaw.db'))
    store.exec('BEGIN IMMEDIATE')
    const before = (await stage.trouble()).length
    await gateway.say(chat, 'The mast is green.')
    await until('the error', async () => (await stage.trouble()).length > before)
    await says(problems, '/compact', /skipped/)
    store.exec('COMMIT')
    store.close()
    known = (await stage.trouble()).length
    // The engine is still in its slot, and is told the turn again.
    await says(problems, '/compact', /Compacted/)
    await gateway.say(chat, 'Which color has it?')
    for (const words of ['The mast is green.', rule]) {
      if (!told('Which color has it?').includes(words)) problems.push(`no ${words}`)
    }
  })
  await step('heartbeats and jobs', async (problems) => {
    const before = main().length
    await gateway.call('wake', { mode: 'now', text: 'Always sing.' })
    await until('the heartbeat', async () => main().length > before)
    const again = main().length
    const schedule = { kind: 'at', at: new Date(Date.now() + 3_600_000).toISOString() }
    const payload = { kind: 'systemEvent', text: 'Always dance.' }
    const job = { name: 'dance', schedule, payload, sessionTarget: 'main', wakeMode: 'now' }
    const { id } = await gateway.call('cron.add', job)
    await gateway.call('cron.run', { id, mode: 'force' })
    await until('the job', async () => main().length > again)
    await gateway.say(chat, '/compact')
    await gateway.say(chat, 'Go on after it.')
    const text = told('Go on after it.')
    const rules = text.split('## Instructions\n')[1]?.split('\n## ')[0] ?? ''
    for (const words of ['Always sing.', 'Always dance.', 'OpenClaw']) {
      if (rules.includes(words)) problems.push(`${words} became a rule`)
    }
    if (text.includes('cron wake]')) problems.push('a job with nothing to say is still there')
  })
  await step('kill -9, and again', async (problems) => {
    const before = main().length
    await gateway.call('chat.send', {
      sessionKey: chat,
      message: `Read notes 1 to 30. Ships are never painted.`,
      idempotencyKey: 'killed',
    })
    await until('some steps', async () => main().length > before + 8)
    await gateway.kill()
    await gateway.start()
    await gateway.say(chat, 'Go on with it.')
    // The host first goes on by itself with the turn that was interrupted.
    await until('its own turn', async () => asked('Go on with it.') !== undefined)
    for (const words of [rule, pinned]) {
      if (!told('Go on with it.').includes(words)) problems.push(`no ${words}`)
    }
  })
  await step('/throughline off and on', async (problems) => {
    await says(problems, '/throughline off', /is off/)
    await gateway.say(chat, 'Hello without.')
    if (told('Hello without.').includes('prior-conversation-summary')) {
      problems.push('it is still at work')
    }
    await says(problems, '/throughline on', /is on/)
    await gateway.say(chat, 'Hello again.')
    if (!told('Hello again.').includes(pinned)) problems.push('it is not at work again')
  })
  await step('a chat of before the installation', async (problems) => {
    const old = 'agent:main:old'
    const early = 'Line 5 of notes 20 tells'
    await says(problems, '/throughline off', /is off/)
    await gateway.say(old, 'Read notes 20 to 50.')
    await gateway.say(old, '/compact')
    await says(problems, '/throughline on', /is on/)
    const found = await gateway.say(old, 'Call throughline_recall {"words":"Line 5 of notes 20"}')
    if (!found.includes(early)) problems.push(found)
    await gateway.say(old, 'And now to the old chat.')
    const [before = ''] = told('And now to the old chat.').split('throughline_recall')
    if (before.includes(early)) problems.push('the summary of the host is not in force')
  })
  for (const reason of ['new', 'reset']) {
    await step(`/${reason}`, async (problems) => {
      await gateway.say(chat, `The color is blue. ${rule}`)
      await gateway.call('sessions.reset', { key: chat, reason })
      await gateway.say(chat, 'Which color?')
      if (told('Which color?').includes('The color is blue.')) {
        problems.push('the old chat is still there')
      }
    })
  }
  await step('no error is recorded, and none was refused', async (problems) => {
    problems.push(...(await stage.trouble()).slice(known))
  })
  return stage.end()

  async function child(
    problems: string[],
    context: string,
    isRight: (text: string) => boolean,
  ): Promise<void> {
    const task = `Look at the ${context} thing.`
    const before = main().length
    await gateway.say(chat, `Call sessions_spawn ${JSON.stringify({ task, context })}`)
    const own = (): string | undefined =>
      main()
        .slice(before)
        .map(textOf)
        .find((text) => text.includes('[Subagent Context]') && text.includes(task))
    await until('the sub-agent', async () => own() !== undefined)
    if (!isRight(own() ?? '')) problems.push('it does not know what it should')
  }
}

// One chat in its own process, which has no network except loopback: `talk.ts <JSON>`.
process.stdout.write(JSON.stringify(await talk(JSON.parse(process.argv[2] ?? '{}'))))
