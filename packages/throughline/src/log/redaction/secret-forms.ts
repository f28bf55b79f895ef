/**
 * Forms of secrets that are known by their beginning; none of them needs more than one look at each
 * character.
 */
export const secretForms: readonly (readonly [kind: string, form: RegExp])[] = [
  ['private key', /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/g],
  ['AWS key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g],
  ['GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{30,255})\b/g],
  ['GitLab token', /\bglpat-[A-Za-z0-9_-]{20,64}/g],
  ['Anthropic key', /\bsk-ant-[A-Za-z0-9_-]{20,200}/g],
  ['API key', /\bsk-(?!ant-)(?:proj-|svcacct-|or-v1-|live-)?[A-Za-z0-9_-]{24,200}/g],
  ['Stripe key', /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,120}\b/g],
  ['Slack token', /\bxox[abeoprs]-[A-Za-z0-9-]{12,200}/g],
  ['Google key', /\bAIza[A-Za-z0-9_-]{35}/g],
  ['npm token', /\bnpm_[A-Za-z0-9]{36}\b/g],
  ['Hugging Face token', /\bhf_[A-Za-z0-9]{30,60}\b/g],
  [
    'JSON Web Token',
    /\beyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,1000}/g,
  ],
  [
    'password in an address',
    /\b[a-z][a-z0-9+]{1,15}:\/\/[^\s/:@'"<>$*{]{1,80}:[^\s/@'"<>$*{]{4,200}@/gi,
  ],
  [
    'assigned secret',
    /\b[A-Z][A-Z0-9_]{0,60}(?:SECRET|TOKEN|PASSWORD|API_?KEY|PRIVATE_KEY)["']?\s{0,3}[=:]\s{0,3}["']?(?=[A-Za-z_+/-]{0,200}\d)[A-Za-z0-9_+/-]{16,200}/g,
  ],
]
