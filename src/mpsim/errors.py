"""The errors a caller can mend: one sentence with the value and the cure."""


class MpsimError(ValueError):
    """Base of all errors that a caller can mend; the message is for people."""


class CardError(MpsimError):
    """Text that is not a card, a hand or a deal."""


class RulesError(MpsimError):
    """A rule key, value or combination that no game can be played with."""


class PolicyError(MpsimError):
    """A bidding or playing policy that does not exist or has unusable parameters."""


class UsageError(MpsimError):
    """An argument outside its range."""


class RunError(MpsimError):
    """A run folder that cannot be written, read or continued."""
