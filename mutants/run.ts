import { askedFor, help, type Asked } from './arguments.ts'
import { forgetGuards, record, recorded, writePage } from './recorded.ts'
import { guards } from './guards/guards.ts'
import { mutateRooms } from './rooms/mutate-rooms.ts'
import { roomText } from './page.ts'
import type { Guard } from './guards/guard.ts'
import { runGuards, type GuardRun } from './guards/run-guards.ts'

async function work(asked: Asked): Promise<void> {
  switch (asked.does) {
    case 'help':
      return void process.stdout.write(help)
    case 'page':
      return writePage()
    case 'guards':
      return deleteGuards(asked.wanted)
    case 'rooms':
      await mutateRooms(asked, (run) => {
        console.log(roomText(run))
        record({ rooms: [run] })
      })
  }
}

async function deleteGuards(wanted: readonly string[]): Promise<void> {
  const isMeant = ({ promise, guard }: Guard): boolean =>
    wanted.some((text) => promise.toLowerCase() === text.toLowerCase() || guard.includes(text))
  const chosen = wanted.length === 0 ? guards : guards.filter(isMeant)
  if (chosen.length === 0) throw new Error(`No promise or guard is called ${wanted.join(' or ')}.`)
  const runs = await runGuards(chosen, recorded().guards, (run) => {
    console.log(guardText(run))
    record({ guards: [run] })
  })
  const listed = new Set(guards.map(({ promise, guard }) => `${promise} ${guard}`))
  forgetGuards(({ promise, guard }) => listed.has(`${promise} ${guard}`))
  writePage()
  const unnoticed = runs.filter(({ noticedBy }) => noticedBy === undefined).length
  console.log(`${runs.length} guards deleted one by one, ${unnoticed} of them unnoticed.`)
  if (unnoticed > 0) process.exitCode = 1
}

function guardText({ promise, guard, noticedBy }: GuardRun): string {
  return noticedBy === undefined
    ? `${promise.padEnd(6)} UNNOTICED  ${guard}`
    : `${promise.padEnd(6)} noticed    ${guard}\n                  by ${noticedBy}`
}

await work(askedFor(process.argv.slice(2)))
