import { checkedOffLabel, doneLabel } from '../../labels.ts'
import { firstRef, itemAt, readStatement, withoutRef } from '../../statements/note-statements.ts'
import { changedFiles } from '../changed-files.ts'
import { commands } from '../commands.ts'
import { readChange } from '../read-files-back.ts'
import { readCommand, readTodo } from '../read-lines.ts'
import { errors } from './discoveries.ts'
import { stands } from './goal.ts'
import { statementLines } from './statement-lines.ts'
import type { FactsState } from '../../fold-memory.ts'
import type { TodoFact } from '../../facts.ts'
import type { Seq } from '../../../log/entry.ts'
import type { Part, SummarySection } from './section.ts'

const changed: Part = {
  turn: 4,
  write: ({ facts, room, tokens }) => changedFiles(facts, room, Math.floor(tokens * 0.1)),
}

const ran: Part = {
  turn: 12,
  write({ facts, room, worth, want, linesOf }) {
    const beside = [...linesOf(stands), ...linesOf(errors)].join('\n')
    return commands(facts, { room, worth, tokens: want(0.05), beside })
  },
}

/** What was said of the work that was done. */
const done: Part = {
  turn: 13,
  write(writing) {
    const lines = statementLines(writing).accomplished
    return lines.length === 0 ? [] : [doneLabel, ...lines]
  },
}

export const accomplished = {
  heading: 'Accomplished',
  guide:
    'What was done, in chronological order: files created, edited, renamed or deleted and why, commands and their outcome, decisions and their reasons; then what is still open, and the very next step.',
  otherNames: `
    accomplishments, accomplishment, progress, done, work done, completed, completed work,
    what was done, actions taken, work completed, achievements, đã hoàn thành, hoàn thành,
    đã thực hiện, những việc đã làm, việc đã làm, kết quả, 已完成, 完成, 完成情况, 完成的工作, 已完成的工作, 成果,
    進捗, 完了, 完了したこと, 完了した作業, 完了事項, 実施内容, 達成, 達成したこと, 완료, 완료 사항, 완료한 작업, 완료된 작업, 수행한 작업, 성과, сделано,
    выполнено, достигнуто, что сделано, logros, logrado, realizado, completado, lo
    realizado, hecho, erreicht, erledigt, ergebnisse, abgeschlossen, fortschritt, accompli,
    accomplissements, réalisé, réalisations, travail accompli, fait,
    completato, realizzato, fatto, risultati, wykonano, zrobione, ukończone, osiągnięcia,
    voltooid, bereikt, gedaan, tamamlananlar, yapılanlar, başarılanlar, ما تم إنجازه, الإنجازات,
    تم الإنجاز, पूरा किया गया, पूर्ण, उपलब्धियाँ, виконано, зроблено, досягнуто, yang telah
    diselesaikan, telah diselesaikan, selesai, pencapaian, concluído, utfört, hotovo,
    สิ่งที่ทำเสร็จแล้ว
  `,
  partNames: `
    pending tasks, pending, pending tasks and next steps, current work, current state,
    current status, status, state, active work state, optional next step, next step,
    next steps, clear next steps, immediate next steps, continuation plan, remaining,
    remaining work, remaining tasks, what remains, what remains to be done, what's left, todo,
    todos, to do, open items, open tasks, open, in progress, blocked, recent actions,
    recent operations, recent work, progress tracking, task state, current plan, plan, 下一步,
    下一步计划, 待办, 待办事项, 待完成, 当前状态, 次のステップ, 残作業, 残タスク, 未完了, 現在の状況, 다음 단계, 남은 작업,
    bước tiếp theo, các bước tiếp theo, còn lại, следующие шаги, что осталось, próximos pasos,
    próximos passos, nächste schritte, offen, prochaines étapes, prossimi passi
  `,
  parts: [changed, done, ran],
  read: { own: readAccomplished },
  cutAs: 3,
  keepsEnd: true,
  givesReasons: true,
  isLasting: true,
} as const satisfies SummarySection

function readAccomplished(facts: FactsState, body: string, seq: Seq): void {
  let part: 'files' | 'told' | 'commands' | TodoFact['status'] | undefined
  const lines = body.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (line === 'Files changed:') part = 'files'
    else if (line === doneLabel) part = 'told'
    else if (line === 'Commands:') part = 'commands'
    else if (line === checkedOffLabel || line === 'Done:') part = 'done'
    else if (line.startsWith('Still open')) part = 'open'
    else if (!line.startsWith('- ')) part = undefined
    else if (part === undefined || part === 'told' || firstRef.test(line.slice(2))) {
      const item = itemAt(lines, at)
      at = item.last
      readStatement(facts, item.text, { seq, source: 'answer', worked: true })
    } else if (part === 'files') readChange(facts, line.slice(2), seq)
    else if (part === 'commands') readCommand(facts, line.slice(2), seq)
    else readTodo(facts, withoutRef(line.slice(2)), part, seq)
  }
}
