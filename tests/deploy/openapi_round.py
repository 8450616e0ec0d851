"""Plays a round with the client that openapi-python-client generated. Arguments: its folder, the game's address."""

import sys
import time

sys.path.insert(0, sys.argv[1])

from taps_client import Client
from taps_client.api.accounts import create_account, login
from taps_client.api.boards import leaderboard, prize_pool, recent_attempts
from taps_client.api.play import claim, record_attempt, session, start_round
from taps_client.models import AccountBody, AttemptBody, LoginBody, Problem, StartBody

client = Client(base_url=sys.argv[2])
name = "Generated"


def parsed(answer, status):
    """Returns the parsed body of an answer with this status."""
    assert (answer.status_code, type(answer.parsed)) != (status, type(None)), answer
    assert answer.status_code == status, answer
    return answer.parsed


guest = parsed(session.sync_detailed(client=client), 200)
assert guest.user is None and guest.prize is None
started = parsed(start_round.sync_detailed(client=client, body=StartBody(guest.round_.token, name)), 201)
time.sleep(started.target_time)
body = AttemptBody(started.start, name, started.target_time)
recorded = parsed(record_attempt.sync_detailed(client=client, body=body), 201)
assert recorded.attempt.won_taps >= 1 and recorded.reason is None
assert parsed(record_attempt.sync_detailed(client=client, body=body), 200).attempt == recorded.attempt
assert parsed(recent_attempts.sync_detailed(client=client), 200).attempts[0] == recorded.attempt
signed_in = parsed(create_account.sync_detailed(client=client, body=AccountBody(name, "a long enough password")), 201)
assert signed_in.prize.held_until is None
user = parsed(claim.sync_detailed(client=client), 200).user
assert parsed(leaderboard.sync_detailed(client=client), 200).leaderboard[0].username == user.username
assert parsed(prize_pool.sync_detailed(client=client), 200).last_win.won_taps == recorded.attempt.won_taps
refused = parsed(login.sync_detailed(client=client, body=LoginBody(name, "a wrong password")), 401)
assert isinstance(refused, Problem) and refused.code == "invalid_password"
