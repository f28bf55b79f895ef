/**
 * What to do about a refusal of Postgres, by its SQLSTATE: what a server that was set up wrong says,
 * and goes on saying until somebody sets it up.
 */
export function adviceFor(code: string): string | undefined {
  return advice.find(([codes]) => codes.test(code))?.[1]
}

const advice: readonly (readonly [RegExp, string])[] = [
  [
    /^28P01$/,
    'Postgres does not take this user’s password: check it in THROUGHLINE_STORE, with special characters as %40 and the like.',
  ],
  [
    /^28/,
    'Postgres does not let this user in from here: check the user in THROUGHLINE_STORE, pg_hba.conf, and whether it asks for ?sslmode=require.',
  ],
  [
    /^3D000$/,
    'There is no such database: create it (CREATE DATABASE …), or name another one in THROUGHLINE_STORE.',
  ],
  [
    /^42501$/,
    'This user may not do that in the database: GRANT CREATE ON DATABASE to it, or let another user start the gateway once and GRANT this one USAGE on the schema and ALL on its tables and sequences.',
  ],
  [
    /^(?:42P01|42883|42703|3F000)$/,
    'Something that the gateway has made there is missing: restore its schema from a backup, or drop the schema to begin anew, and restart the gateway.',
  ],
  [
    /^25006$/,
    'This Postgres only reads, as a standby does: name the primary one in THROUGHLINE_STORE.',
  ],
  [
    /^53300$/,
    'Postgres has no connection left: raise its max_connections, or lower “connections” in the configuration.',
  ],
]
