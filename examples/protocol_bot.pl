#!/usr/bin/env perl
# A bot in another language: JSON lines in, JSON lines out, Perl's own modules only.
#
# It asks for any card that the player asked has not denied, best one of a half-suit that it has much
# of, and claims what it holds alone.
#
# $ literature tournament random "cmd:perl examples/protocol_bot.pl" --pairs 20

use strict;
use warnings;
use JSON::PP qw(decode_json);

$| = 1;
my $json = JSON::PP->new->canonical;
my (%cards_of, %half_suit_of, @seats, $seat, %denied);

sub hello {
    my ($message) = @_;
    @seats = @{ $message->{seats} };
    my @cards = @{ $message->{cards} };
    for my $name (@{ $message->{half_suits} }) {
        $cards_of{$name} = [ splice @cards, 0, 6 ];
        $half_suit_of{$_} = $name for @{ $cards_of{$name} };
    }
    return { ok => JSON::PP::true, name => "perl-bot", version => "1.0" };
}

sub new_game {
    my ($message) = @_;
    $seat   = $message->{seat};
    %denied = ();
    srand $message->{seed};
    return { ok => JSON::PP::true };
}

sub see {
    my ($view) = @_;
    for my $event (@{ $view->{new_events} }) {
        my ($kind, $asker, $target, $card, $answer) = split ' ', $event;
        next unless $kind eq 'ask';
        if ($answer eq 'miss') { $denied{$card}{$target} = 1 }
        else                   { delete $denied{$card} }
    }
}

# A half-suit that this hand holds alone.
sub claim {
    my ($view) = @_;
    return unless $view->{may_claim};
    my %held = map { $_ => 1 } @{ $view->{hand} };
    for my $name (@{ $view->{in_play} }) {
        my @cards = @{ $cards_of{$name} };
        next if grep { !$held{$_} } @cards;
        return { claim => { half_suit => $name, holders => { map { $_ => $seat } @cards } } };
    }
    return;
}

sub best_ask {
    my ($view) = @_;
    my %count;
    $count{ $half_suit_of{$_} }++ for @{ $view->{hand} };
    my ($best, $most);
    for my $ask (@{ $view->{legal_asks} }) {
        my $worth = ($count{ $half_suit_of{ $ask->{card} } } || 0) + rand()
            - ($denied{ $ask->{card} }{ $ask->{target} } ? 10 : 0);
        ($best, $most) = ($ask, $worth) if !defined $most || $worth > $most;
    }
    return $best;
}

sub act {
    my ($view) = @_;
    my $claim = claim($view);
    return $claim if $claim;
    return { ask => best_ask($view) } if @{ $view->{legal_asks} };
    return { pass => $view->{legal_passes}[0] } if @{ $view->{legal_passes} };
    my %held = map { $_ => 1 } @{ $view->{hand} };
    my @team = grep { substr($_, 0, 1) eq substr($seat, 0, 1) } @seats;
    my $name = $view->{in_play}[0];
    my %holders = map { $_ => $held{$_} ? $seat : $team[ rand @team ] } @{ $cards_of{$name} };
    return { claim => { half_suit => $name, holders => \%holders } };
}

while (my $line = <STDIN>) {
    my $message = decode_json($line);
    my $op      = $message->{op};
    my $view    = $message->{view};
    last if $op eq 'bye';
    see($view) if $view;
    my $answer =
          $op eq 'hello'    ? hello($message)
        : $op eq 'new_game' ? new_game($message)
        : $op eq 'act'      ? act($view)
        :                     claim($view) || { none => JSON::PP::true };
    print $json->encode($answer), "\n";
}
