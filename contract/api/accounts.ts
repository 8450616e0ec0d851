import { type Static, Type } from 'typebox'
import {
  type Endpoint,
  NameInput,
  Nothing,
  nullable,
  object,
  PasswordInput,
  Prize,
  Round,
  User,
} from './shapes.ts'

export const SignedIn = object({ user: User, prize: nullable(Prize), round: Round }, 'SignedIn')

/** The fields are optional, because the handler refuses missing credentials itself. */
export const LoginBody = object(
  { username: Type.Optional(NameInput), password: Type.Optional(PasswordInput) },
  'LoginBody',
)
export const AccountBody = object({ username: NameInput, password: PasswordInput }, 'AccountBody')
export const PasswordBody = object({ password: PasswordInput, new_password: PasswordInput }, 'PasswordBody')
export const DeletionBody = object({ password: PasswordInput }, 'DeletionBody')

export const ACCOUNTS = {
  login: {
    method: 'POST',
    url: '/api/login',
    limit: 'logins',
    tag: 'accounts',
    summary: "Signs in and moves the guest's held prizes to the account",
    body: LoginBody,
    answers: { 200: SignedIn },
    problems: ['missing_credentials', 'invalid_password', 'account_banned', 'unknown_username'],
  },
  createAccount: {
    method: 'POST',
    url: '/api/users',
    limit: 'signUps',
    tag: 'accounts',
    summary:
      'Creates an account for the current player; signs in if name and password match an existing account',
    body: AccountBody,
    answers: { 200: SignedIn, 201: SignedIn },
    problems: ['username_taken', 'account_banned', 'weak_password', 'bad_username'],
  },
  logout: {
    method: 'POST',
    url: '/api/logout',
    limit: 'calls',
    tag: 'accounts',
    summary: 'Ends the session; the next request comes from a new guest',
    answers: { 204: Nothing },
    problems: [],
  },
  changePassword: {
    method: 'POST',
    url: '/api/password',
    limit: 'ownPasswords',
    tag: 'accounts',
    summary: 'Changes the password, ends all sessions of the account and opens a new one',
    body: PasswordBody,
    answers: { 204: Nothing },
    problems: ['login_required', 'invalid_password', 'weak_password', 'password_changed'],
  },
  deleteAccount: {
    method: 'POST',
    url: '/api/users/delete',
    limit: 'ownPasswords',
    tag: 'accounts',
    summary: 'Deletes the account permanently; all of its TAPS return to the pool, even claimed TAPS',
    body: DeletionBody,
    answers: { 204: Nothing },
    problems: ['login_required', 'invalid_password'],
  },
} as const satisfies Record<string, Endpoint>

export type SignedIn = Static<typeof SignedIn>
