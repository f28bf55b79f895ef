import { contextOf } from '../context.ts'
import { latest } from '../latest.ts'
import { chronological } from '../order.ts'

const log = chronological([])
latest(log)
latest(contextOf(log).items)
