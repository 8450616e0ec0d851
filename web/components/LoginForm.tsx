import { useState } from 'react'
import type { Accounts } from '../accounts.ts'
import type { Problem } from '../api.ts'
import { CredentialsFields, credentialsOf } from './Field.tsx'
import { type Filled, Form } from './Form.tsx'

interface Props {
  accounts: Pick<Accounts, 'enter'>
  onCancel: () => void
}

/** Login mode. An unknown username can become an account with one more press. */
export function LoginForm({ accounts, onCancel }: Props) {
  const [offersAccount, setOffersAccount] = useState(false)
  const submit = async (filled: Filled) => {
    const how = filled('how') === 'createAccount' ? 'createAccount' : 'login'
    const problem = await accounts.enter(how, credentialsOf(filled))
    setOffersAccount(problem !== null && ACCOUNT_OFFERED.has(problem.code))
    return problem
  }
  const createAccount = (
    <button type="submit" className="quiet" name="how" value="createAccount">
      Create account
    </button>
  )
  return (
    <div className="card form">
      <h2 id="login-title" className="form-title">
        Welcome back
      </h2>
      <Form
        submit={submit}
        verb="Login"
        takesFocus
        labelledBy="login-title"
        other={offersAccount && createAccount}
      >
        <CredentialsFields isNew={offersAccount} />
      </Form>
      <button type="button" className="quiet" onClick={onCancel}>
        Cancel
      </button>
    </div>
  )
}

/** The offer stays while its own refusals are put right. */
const ACCOUNT_OFFERED = new Set<Problem['code']>(['unknown_username', 'weak_password', 'bad_username'])
