import { wires } from './wires.ts'
import type { Fault } from './fault.ts'
import type { Setting } from './trial.ts'

/** All settings in which a fault is met. */
export function settingsOf({ wires: some = wires }: Pick<Fault, 'wires'>): Setting[] {
  return some.flatMap((wire) =>
    [true, false].flatMap((auto) => [true, false].map((streams) => ({ wire, auto, streams }))),
  )
}

/** `anthropic, by itself, streamed` */
export function settingName({ wire, auto, streams }: Setting): string {
  return `${wire}, ${auto ? 'by itself' : 'by hand'}, ${streams ? 'streamed' : 'whole'}`
}
