/**
 * Headings of a part of one of the five, as the prompts of other clients ask for them and models
 * write them by habit. Their words stay, as a label in the section that they belong to.
 */
export const headingParts: Readonly<Record<string, string>> = {
  Instructions: `
    all user messages, user messages, active constraints, constraints / user preferences,
    important context constraints or user preferences, style, guardrails
  `,
  Discoveries: `
    errors and fixes, errors, problem solving, problem resolution, key decisions, decisions,
    decisions made, technical decisions, design decisions, key knowledge, critical data,
    critical context, important context, key technical details, technical details,
    technical context, technical foundation, codebase status, environment, open questions,
    known issues, gotchas, lessons learned, 关键决策, 決定事項, 主な決定, 주요 결정, quyết định
  `,
  Accomplished: `
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
  'Relevant files': `
    file system state, files modified, modified files, files changed, changed files,
    relevant files and code, files touched, artifact trail, read files
  `,
}
