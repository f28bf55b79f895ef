import { useState } from 'preact/hooks'
import { counted, dollars } from '../numbers.ts'
import type { MachineSession } from '../../src/report/machine.ts'

const dayLength = 86_400_000
const mostDays = 90
const height = 100

/** What each day cost, for the last three months of those that are shown. */
export function Days({ sessions }: { sessions: readonly MachineSession[] }) {
  const [chosen, setChosen] = useState<number>()
  const days = daysOf(sessions)
  if (days.length < 2) return null
  const most = Math.max(...days.map(({ cost }) => cost))
  const pointedAt = days[chosen ?? -1]
  return (
    <section aria-labelledby="days">
      <h2 id="days">What each day cost</h2>
      <div class="chart">
        <svg
          class="days"
          viewBox={`0 0 ${days.length * 10} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${counted(days.length, 'day')} from ${days[0]?.day} to ${days.at(-1)?.day}; the costliest had ${dollars(most)}`}
          onPointerLeave={() => setChosen(undefined)}
        >
          {days.map(({ cost }, index) => (
            <g onPointerEnter={() => setChosen(index)}>
              <rect class="day-ground" x={index * 10} y={0} width={10} height={height} />
              <rect
                class={index === chosen ? 'day chosen' : 'day'}
                x={index * 10 + 1}
                y={height - (cost / most) * height}
                width={8}
                height={(cost / most) * height}
              />
            </g>
          ))}
        </svg>
        <p class="days-legend quiet">
          <span>{days[0]?.day}</span>
          <b>
            {pointedAt
              ? `${pointedAt.day}: ${dollars(pointedAt.cost)}`
              : `at most ${dollars(most)} a day`}
          </b>
          <span>{days.at(-1)?.day}</span>
        </p>
      </div>
    </section>
  )
}

/** Every day from the first to the last, also those that cost nothing. */
function daysOf(sessions: readonly MachineSession[]): { day: string; cost: number }[] {
  const costs = new Map<string, number>()
  for (const { days } of sessions) {
    for (const [day, cost] of Object.entries(days)) costs.set(day, (costs.get(day) ?? 0) + cost)
  }
  const known = [...costs.keys()].sort()
  const last = Date.parse(known.at(-1) ?? '')
  const first = Math.max(Date.parse(known[0] ?? ''), last - (mostDays - 1) * dayLength)
  const days: { day: string; cost: number }[] = []
  for (let at = first; at <= last; at += dayLength) {
    const day = new Date(at).toISOString().slice(0, 10)
    days.push({ day, cost: costs.get(day) ?? 0 })
  }
  return days
}
