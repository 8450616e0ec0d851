/** The page says these two without asking the server. */
export const BLANK_USERNAME = 'Please enter your name first!'
export const MISSING_CREDENTIALS = 'Please enter both username and password'

/** The server's refusals: code, HTTP status and sentence for the player. */
export const PROBLEMS = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  blank_username: { status: 400, title: BLANK_USERNAME },
  missing_credentials: { status: 400, title: MISSING_CREDENTIALS },
  unavailable: { status: 503, title: 'The game is taking a short break; please try again in a moment' },
  bad_username: { status: 400, title: 'This name cannot be used here; please choose another' },
  weak_password: { status: 400, title: 'This password is too weak' },
  invalid_password: { status: 401, title: 'Invalid password' },
  login_required: { status: 401, title: 'Please log in first' },
  metrics_token: { status: 401, title: 'The metrics need the token of METRICS as Bearer' },
  account_banned: { status: 403, title: 'This account is banned; ask the operator of this game why' },
  cross_site: { status: 403, title: 'This request came from another site' },
  not_found: { status: 404, title: 'There is nothing here' },
  unknown_username: { status: 404, title: 'No account with this username' },
  too_slow: { status: 408, title: 'The request took too long to arrive' },
  username_taken: { status: 409, title: 'This username is already taken' },
  password_changed: { status: 409, title: 'Your password has just been changed; please log in again' },
  stale_round: { status: 409, title: 'This round is no longer current; here is the next one' },
  round_already_played: { status: 409, title: 'This round was already played' },
  round_expired: { status: 410, title: 'This round was started too long ago to count' },
  too_large: { status: 413, title: 'The request is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be JSON' },
  bad_token: { status: 422, title: 'This game did not issue this round; press Start for another one' },
  too_many_requests: { status: 429, title: 'Too many requests; please wait a moment' },
  headers_too_large: { status: 431, title: 'The headers of the request are too large' },
  internal: { status: 500, title: 'Something went wrong on our side' },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>

export type ProblemCode = keyof typeof PROBLEMS
